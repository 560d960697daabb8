import Ports
import Quantities
import Records

/// Tells the uplink that something was recorded, some time after it was: one connection then serves
/// all that has gathered. What people are waiting for goes sooner.
///
/// Stands around the store, for what is not durable yet is not there for the uplink.
public final class UplinkCall: Endpoint {
  public let kind = "uplink"
  public let fruitlessLimit = 20
  public var interest: Interest? { nil }
  public private(set) var due: BootInstant?

  private let uplink: any UplinkCallPort
  private let delay: Seconds
  private let alertDelay: Seconds
  private let clock: () -> BootInstant
  private let onLog: (LogEvent) -> Void
  private var lastFailure: String?

  /// - Parameters:
  ///   - delay: how long a record waits for others at most.
  ///   - alertDelay: how long crossings of places and alerts do.
  public init(
    _ uplink: any UplinkCallPort, delay: Seconds, alertDelay: Seconds,
    clock: @escaping () -> BootInstant, onLog: @escaping (LogEvent) -> Void
  ) {
    self.uplink = uplink
    self.delay = delay
    self.alertDelay = alertDelay
    self.clock = clock
    self.onLog = onLog
  }

  /// Records are durable now.
  public func stored(_ records: [Record]) {
    guard let pause = records.compactMap(pause).min() else { return }
    due = .earlier(due, clock() + pause)
  }

  /// Something is to be sent that people wait for.
  public func mail() { due = .earlier(due, clock() + min(delay, alertDelay)) }

  /// How long a record may wait; nil: nobody is waiting for it.
  private func pause(of record: Record) -> Seconds? {
    switch record {
    case .crossing, .notice: min(delay, alertDelay)
    case .trackPoint, .visit: delay
    default: nil
    }
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let due, due <= now else { return Served(isFruitful: false) }
    self.due = nil
    do throws(UplinkCallError) {
      try uplink.call()
      lastFailure = nil
    } catch {
      // What was recorded waits in the store, and is told with what comes next.
      if error.message != lastFailure {
        onLog(LogEvent("uplink-not-called", error.message, level: .warning))
      }
      lastFailure = error.message
    }
    return Served(isFruitful: true)
  }
}
