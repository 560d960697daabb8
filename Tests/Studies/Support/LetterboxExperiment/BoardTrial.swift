import Records
import Core
import Places
import GNSS
import Ports
import Runtime
import Tracking
import VirtualDevice

/// A moving board with a SAM-M8Q, with the whole runtime and no other source of location.
public struct BoardTrial {
  public let located: LocatedRun
  /// The charge that the receiver has drawn.
  public let charge: Coulombs
  public let duration: Seconds
  /// The share of the time that the receiver was on.
  public let onShare: Double

  public var current: Amperes { charge / duration }

  public init(on route: LetterboxRoute, policy: PolicySettings, seed: UInt64) throws {
    struct NoRoute: Error {}
    guard let truth = route.truth else { throw NoRoute() }
    let board = VirtualBoard(
      groundTruth: truth, settings: VirtualBoardSettings(coarse: nil, seed: seed))
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: true, sleepCommand: .none,
      family: .ubloxM8)
    var settings = TrackerSettings(policy: policy)
    settings.power = PowerSequencer(wiring).capabilities
    let places = PlaceTeller()
    let observer = Observer(passing: route.passing)
    var devices = Devices(
      receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor)
    devices.endpoints = [places, observer]
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring, devices: devices)
    observer.runtime = runtime
    runtime.systemDate = {
      SystemDate(
        date: board.time(at: board.clock.now), read: board.clock.now, isSynchronized: true)
    }
    let end = VirtualLoop(board, runtime: runtime)
      .run(until: .zero + Seconds(Double(route.length - 1)))
    let totals = runtime.energy.totals(at: end)
    located = observer.located
    charge = totals.all.charge
    duration = end - .zero
    onShare = totals.on.duration / duration
  }
}

/// Gives the tracker both places once, as soon as it runs.
private final class PlaceTeller: Endpoint {
  let kind = "places"
  let interest: Interest? = nil
  let fruitlessLimit = Int.max
  private(set) var due: BootInstant? = .zero + 1

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let moment = due, now >= moment else { return Served(isFruitful: false) }
    due = nil
    let targets = LetterboxRoute.places.map {
      PlaceTarget(PlaceRegion(.circle(radius: 1), around: $0), hasAlerts: true)
    }
    let cap = SphericalCap(centre: LetterboxRoute.places[0], radius: 100_000)
    return Served([.tracker(.places(targets, within: cap))], isFruitful: true)
  }
}

/// Reads the tracker's location every second.
private final class Observer: Endpoint {
  let kind = "observer"
  let interest: Interest? = nil
  let fruitlessLimit = Int.max
  private(set) var due: BootInstant? = .zero
  private(set) var located: LocatedRun
  weak var runtime: TrackerRuntime?

  init(passing: Int) { located = LocatedRun(passing: passing) }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let moment = due, now >= moment else { return Served(isFruitful: false) }
    due = moment + 1
    let last = runtime?.tracker.lastGnss
    if let last { located.took(last.position, within: last.accuracy) }
    located.secondPassed(last?.accuracy)
    return Served(isFruitful: true)
  }
}
