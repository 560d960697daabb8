import Ports
import Core
import Records

@testable import VirtualDevice

/// The evidence of a board's sources over a time, with its true times and the ground truth.
struct SourceRun {
  private(set) var told: [(at: UTCInstant, source: String, evidence: Evidence)] = []
  /// The movements and rests that the sources followed.
  let spells: [TruthSegment]
  let stays: [PlannedStay]
  let end: UTCInstant

  /// The evidence during a life, straight from the source models: a board yields the same.
  init(
    _ life: Life, days: Int = 7, seed: UInt64, _ kinds: Set<SourceKind> = Set(SourceKind.allCases)
  ) {
    let truth = PlannedTruth(life.itinerary(seed: seed), from: morning, days: days, seed: seed)
    var ahead = TruthAhead(truth, from: truth.start)
    var spells: [TruthSegment] = []
    while let spell = ahead.next() { spells.append(spell) }
    for kind in SourceKind.allCases where kinds.contains(kind) {
      var behaviour = kind.behaviour(from: truth.start, seed: seed)
      told += spells.flatMap { behaviour.follow($0) }.map { ($0.at, kind.rawValue, $0.evidence) }
    }
    told.sort { $0.at < $1.at }
    self.spells = spells
    stays = truth.completedStays
    end = truth.start + .days(Double(days))
  }

  init(
    _ truth: any GroundTruth, _ kinds: Set<SourceKind>, seed: UInt64 = 1, scanEvery: Seconds? = nil,
    receiverIsOn: Bool = false
  ) throws {
    var ahead = TruthAhead(truth.another(), from: truth.start)
    let board = VirtualBoard(
      groundTruth: truth, settings: .init(coarse: nil, sources: kinds, seed: seed))
    if receiverIsOn { try board.powerSwitch.set(.supply, active: true) }
    var nextScan = scanEvery.map { BootInstant.zero + $0 }
    while !board.isOver, let next = BootInstant.earlier(board.nextEvent, nextScan) {
      board.advance(to: next)
      for source in board.sources {
        while let evidence = try source.poll() {
          told.append((board.time(at: board.clock.now), source.name, evidence))
        }
        if let scan = nextScan, next >= scan { try source.request() }
      }
      if let scan = nextScan, next >= scan, let scanEvery { nextScan = scan + scanEvery }
    }
    var spells: [TruthSegment] = []
    while let spell = ahead.next() { spells.append(spell) }
    self.spells = spells
    stays = []
    end = board.time(at: board.clock.now)
  }

  var edges: [UTCInstant] {
    told.compactMap { $0.evidence == .motion ? $0.at : nil }
  }

  var networks: [(at: UTCInstant, name: String?)] {
    told.compactMap { if case .network(let name) = $0.evidence { ($0.at, name) } else { nil } }
  }

  var cells: [(at: UTCInstant, name: String)] {
    told.compactMap { if case .cell(let name) = $0.evidence { ($0.at, name) } else { nil } }
  }

  var ignition: [(at: UTCInstant, isOn: Bool)] {
    told.compactMap { if case .ignition(let isOn) = $0.evidence { ($0.at, isOn) } else { nil } }
  }

  var scans: [(at: UTCInstant, heard: [AccessPointSignal])] {
    told.compactMap {
      if case .accessPoints(let heard) = $0.evidence { ($0.at, heard.signals) } else { nil }
    }
  }

  /// Adjacent pieces merged into one.
  var whole:
    [(kind: TruthSegment.Kind, begins: UTCInstant, ends: UTCInstant, pieces: [TruthSegment])]
  {
    var whole:
      [(kind: TruthSegment.Kind, begins: UTCInstant, ends: UTCInstant, pieces: [TruthSegment])] = []
    for spell in spells {
      if spell.isContinued, !whole.isEmpty {
        whole[whole.count - 1].ends = spell.ends
        whole[whole.count - 1].pieces.append(spell)
      } else {
        whole.append((spell.kind, spell.begins, spell.ends, [spell]))
      }
    }
    return whole
  }
}

/// The first of the sorted times that is not before that one.
func first(of moments: [UTCInstant], from moment: UTCInstant) -> UTCInstant? {
  var low = 0
  var high = moments.count
  while low < high {
    let middle = (low + high) / 2
    if moments[middle] < moment { low = middle + 1 } else { high = middle }
  }
  return low < moments.count ? moments[low] : nil
}
