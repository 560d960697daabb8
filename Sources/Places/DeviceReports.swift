import Core

/// Where tracked devices were last.
public struct DeviceReports: Sendable {
  /// Where one was, when that was heard, and how fast it has come there.
  public typealias Report = (position: Coordinate, at: BootInstant, speed: MetresPerSecond)

  /// Names come from outside: of more devices the oldest report is forgotten.
  private static let most = 1000
  /// What says that it is faster is wrong.
  private static let mostSpeed: MetresPerSecond = 90

  private var reports: [String: Report] = [:]

  /// Nothing was heard of any device.
  public init() {}

  /// Nil: nothing was heard of it.
  public func report(of name: String) -> Report? { reports[name] }

  mutating func heard(_ name: String, at position: Coordinate, _ now: BootInstant) -> Report {
    var speed: MetresPerSecond = 0
    if let before = reports[name], now > before.at {
      speed = min(
        Sphere.distance(before.position, position) / (now - before.at), Self.mostSpeed)
    }
    if reports[name] == nil, reports.count >= Self.most,
      let oldest = reports.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
    {
      reports[oldest.key] = nil
    }
    reports[name] = (position, now, speed)
    return (position, now, speed)
  }
}
