import Beacons
import Energy
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Records
import Runtime
import Tracking
import VirtualDevice

/// One board with a life among beacons, through the whole runtime: what was told of coming and
/// going against what was truly heard.
public struct BeaconTrial {
  /// From when a beacon was strong to when the board was told to be there; 0 where it was before.
  public private(set) var entries: [Seconds] = []
  /// Presences that nobody told of.
  public private(set) var missed = 0
  /// From the last advertisement that could be received to when the board was told to have left.
  public private(set) var exits: [Seconds] = []
  /// Told while the beacon was as strong as before.
  public private(set) var falseExits = 0
  /// Of the time in rooms, from 40 s after each arrival on: where the nearest was that room.
  public private(set) var roomShare: Double?
  public let days: Int
  /// How often the radio woke the board.
  public let wakes: Int
  public let listened: Seconds

  public init(
    _ name: String, _ listening: BeaconListening, days: Int, seed: UInt64
  ) throws {
    guard let life = BeaconLife(name, seed: seed) else { throw NoSuchLife(name: name) }
    self.days = days
    let monday = UTCInstant(seconds: 1_780_272_000)
    let truth = PlannedTruth(life.itinerary, from: monday, days: days, seed: seed)
    let toldTruth = truth.another()
    let world = life.world(seed: seed)
    let board = VirtualBoard(
      groundTruth: truth,
      settings: VirtualBoardSettings(
        sources: [.motion],
        beacons: VirtualBeaconSettings(
          world, keepsWatch: listening.keepsWatch,
          leastStrength: listening.settings.leastStrength),
        seed: seed))
    let store = try BeaconStore(life, seed: seed)
    store.date = { board.time(at: board.now) }
    let record = NearestRecord()
    let runtime = Self.runtime(board, listening.settings, store, record)
    record.beacons = runtime.places.beacons
    // Kept right by the network, as on most boards.
    runtime.systemDate = {
      SystemDate(date: board.time(at: board.now), read: board.now, isSynchronized: true)
    }
    _ = VirtualLoop(board, runtime: runtime).run(until: .zero + .days(Double(days)))
    wakes = board.beaconRadio?.wakes ?? 0
    listened = board.beaconRadio?.listened ?? 0
    compare(BeaconPresence.all(world, toldTruth, days: days), life, store.crossings)
    roomShare = Self.share(
      of: truth.completedStays, life, record.changes.map { (board.time(at: $0.at), $0.name) })
  }

  private static func runtime(
    _ board: VirtualBoard, _ beacons: BeaconSettings, _ store: BeaconStore,
    _ record: NearestRecord
  ) -> TrackerRuntime {
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: true, sleepCommand: .none,
      family: .ubloxM8)
    var devices = Devices(
      receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
      evidence: board.sources + [board.coarse].compactMap { $0 }, store: store)
    devices.beaconRadio = board.beaconRadio
    devices.beacons = beacons
    devices.endpoints = [record]
    var settings = TrackerSettings(
      policy: .adaptive(AdaptiveSettings()), coarseSources: devices.coarseSources,
      evidenceSources: devices.evidenceSources)
    settings.power = PowerSequencer(wiring).capabilities
    return TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring, devices: devices)
  }

  private mutating func compare(
    _ presences: [BeaconPresence], _ life: BeaconLife, _ crossings: [BeaconStore.Told]
  ) {
    for presence in presences {
      guard let first = presence.strongFirst, let last = presence.strongLast else { continue }
      let mine = crossings.filter {
        $0.place == life.spots[presence.beacon].place.name
      }
      let come = mine.first { $0.change != .left && $0.at >= presence.begins }
      if let come, come.at <= presence.ends {
        entries.append(max(0, come.at - first))
      } else if !mine.contains(where: { $0.change != .left && $0.at <= presence.begins }) {
        missed += 1
      }
      let gone = mine.filter { $0.change == .left }
      falseExits += gone.count { $0.at > first + 60 && $0.at < last }
      if let left = gone.first(where: { $0.at >= presence.ends }),
        left.at < presence.ends + 300
      {
        exits.append(left.at - presence.ends)
      }
    }
  }

  private static func share(
    of stays: [PlannedStay], _ life: BeaconLife, _ changes: [(at: UTCInstant, name: String?)]
  ) -> Double? {
    var all: Seconds = 0
    var right: Seconds = 0
    for stay in stays where life.spots.contains(where: { $0.place.name == stay.place.name }) {
      let begins = stay.arrival + 40
      guard stay.departure > begins else { continue }
      all = all + (stay.departure - begins)
      for (index, change) in changes.enumerated() where change.name == stay.place.name {
        let until = index + 1 < changes.count ? changes[index + 1].at : stay.departure
        let length = min(until, stay.departure) - max(change.at, begins)
        if length > 0 { right = right + length }
      }
    }
    return all > 0 ? right / all : nil
  }
}

struct NoSuchLife: Error {
  let name: String
}

/// Which place the board was told to be nearest to, and since when: asked at every turn.
private final class NearestRecord: Endpoint {
  let kind = "nearest"
  let fruitlessLimit = 20
  let interest: Interest? = nil
  let due: BootInstant? = nil
  weak var beacons: BeaconDriver?
  private(set) var changes: [(at: BootInstant, name: String?)] = []

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    let name = beacons?.nearest?.name
    if changes.isEmpty || changes[changes.count - 1].name != name { changes.append((now, name)) }
    return Served(isFruitful: false)
  }
}
