import RadioSignals
import Records
import Ports
import GNSS
import Core
import Runtime
import Tracking
import VirtualDevice

/// One board with a life among beacons, through the whole runtime: the reported arrivals and
/// departures against the true reception.
public struct BeaconTrial {
  /// All that were due, with their reports.
  public private(set) var passages: [BeaconPassage] = []
  /// Departures reported while the beacon was as strong as before.
  public private(set) var falseGoings = 0
  /// Arrivals reported after the board had left the beacon's range.
  public private(set) var falseComings = 0
  /// The share of the time in rooms, from 40 s after each arrival, with the right nearest room.
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
    let truth = PlannedTruth(life.itinerary, from: Self.monday, days: days, seed: seed)
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
    let reachTruth = truth.another()
    falseComings = store.crossings.count { told in
      guard told.change != .left,
        let index = life.spots.firstIndex(where: { $0.place.name == told.place })
      else { return false }
      return !BeaconPresence.isInReach(index, of: world, reachTruth, at: told.at)
    }
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

  private static let monday = UTCInstant(seconds: 1_780_272_000)

  private mutating func compare(
    _ presences: [BeaconPresence], _ life: BeaconLife, _ crossings: [BeaconStore.Told]
  ) {
    let end = Self.monday + .days(Double(days))
    for (index, spot) in life.spots.enumerated() {
      let name = spot.place.name
      let found = BeaconComparison(
        presences.filter { $0.beacon == index }, at: name, crossings.filter { $0.place == name },
        end: end)
      passages += found.passages
      falseGoings += found.falseGoings
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

/// The place reported as nearest, and since when; queried at every step.
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
