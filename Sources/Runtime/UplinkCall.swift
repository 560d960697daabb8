import Core
import Ports
import Records

/// Notifies the uplink some time after something was recorded, so that one connection serves all
/// that has accumulated. Records that people wait for are notified sooner.
///
/// It receives records when they are created, from when the delay counts, and again when they are
/// durable, because the uplink cannot read them before.
public final class UplinkCall: Endpoint, RecordListener {
  public let kind = "uplink"
  public let fruitlessLimit = 20
  public var interest: Interest? { nil }
  public private(set) var due: BootInstant?

  private let uplink: any UplinkCallPort
  private let delays: UplinkDelays
  /// The deadline for sending a record that may not be durable yet; nil: there is none.
  private var deadline: BootInstant?
  private let clock: () -> BootInstant
  private let onLog: (LogEvent) -> Void
  private var lastFailure: String?
  /// The newest fix, and that of the last call.
  private var last: Location?
  private var lastCallLocation: Location?
  /// Whether the uplink has not been notified yet that the settings may have changed.
  private var hasSettings = false
  /// A location this far from the last one sent is worth a call even if nothing was recorded: on a
  /// straight way nothing is recorded for minutes.
  private static let farEnough: Metres = 100
  private static let leastPause: Seconds = 60
  private static let firstPause: Seconds = 30
  private static let longestPause: Seconds = .hours(1)
  /// The pause before the settings notification is repeated.
  private var pause = firstPause

  public init(
    _ uplink: any UplinkCallPort, _ delays: UplinkDelays,
    clock: @escaping () -> BootInstant, onLog: @escaping (LogEvent) -> Void
  ) {
    self.uplink = uplink
    self.delays = delays
    self.clock = clock
    self.onLog = onLog
  }

  public func received(_ record: Record, at now: BootInstant) -> [Record] {
    if let delay = delays.delay(of: record) { deadline = .earlier(deadline, now + delay) }
    return []
  }

  public func located(_ location: Location, at now: BootInstant) {
    last = location
    guard let lastCallLocation else {
      lastCallLocation = location
      return
    }
    let error = lastCallLocation.accuracy + location.accuracy
    guard Sphere.distance(lastCallLocation.position, location.position) > Self.farEnough + error
    else { return }
    due = .earlier(due, now + max(delays.usual, Self.leastPause))
  }

  /// Records are durable now.
  public func stored(_ records: [Record]) {
    guard let delay = records.compactMap(delays.delay).min() else { return }
    due = .earlier(due, .earlier(deadline, clock() + delay))
    deadline = nil
  }

  /// A message that people wait for is to be sent.
  public func notifyPending() { due = .earlier(due, clock() + delays.alert) }

  /// The daemon has reloaded the settings. An uplink that stays connected still has its old ones;
  /// any other reads them when it runs.
  public func settingsRead() {
    guard delays.usual <= 0 else { return }
    hasSettings = true
    pause = Self.firstPause
    due = .earlier(due, clock())
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let due, due <= now else { return Served(isFruitful: false) }
    self.due = nil
    lastCallLocation = last
    do throws(PortError) {
      try uplink.notify(hasSettings ? .settings : .records)
      hasSettings = false
      lastFailure = nil
    } catch {
      // Recorded data wait in the store and are sent with the next call. That may come hours later,
      // which is too late for settings.
      if hasSettings {
        self.due = .earlier(self.due, now + pause)
        pause = min(pause * 2, Self.longestPause)
      }
      if error.message != lastFailure {
        onLog(LogEvent("uplink-not-called", error.message, level: .warning))
      }
      lastFailure = error.message
    }
    return Served(isFruitful: true)
  }
}
