import Ports
import Core
import Tracking

/// The battery's fuel gauge on the loop. It is polled, because gauges report nothing by themselves.
final class BatteryLink: Endpoint {
  /// A small battery under full load falls by a few percent in that time.
  private static let interval = Seconds.minutes(30)
  /// A driver may be loaded after the daemon has started.
  private static let retry = Seconds.minutes(5)

  let kind = "battery"
  let fruitlessLimit = 20
  let interest: Interest? = nil
  private let port: any BatteryPort
  private let log: LogChannel
  private var next = BootInstant.zero
  /// Why reading fails; nil while it works.
  private(set) var failure: String?

  init(_ port: any BatteryPort, log: LogChannel) {
    self.port = port
    self.log = log
  }

  var name: String { port.name }
  var due: BootInstant? { next }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard now >= next else { return Served(isFruitful: false) }
    do throws(PortError) {
      let reading = try port.read()
      next = now + Self.interval
      if failure != nil { log.write("battery-read", "\(name) can be read again", at: now) }
      failure = nil
      return Served([.tracker(.battery(reading))], isFruitful: true)
    } catch {
      next = now + Self.retry
      if failure != error.message {
        failure = error.message
        log.write("battery-unknown", error.message, level: .warning, at: now)
      }
      return Served(isFruitful: false)
    }
  }
}
