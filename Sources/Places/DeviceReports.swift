import Core

/// The last positions of tracked devices.
public struct DeviceReports: Sendable {
  /// A position, when it was received, and the speed since the one before.
  public typealias Report = (position: Coordinate, at: BootInstant, speed: MetresPerSecond)

  /// Names come from outside: of more devices the oldest report is dropped.
  private static let most = 1000
  /// A higher speed is an error.
  private static let mostSpeed: MetresPerSecond = 90

  private var reports: [String: Report] = [:]

  /// No reports yet.
  public init() {}

  /// Nil: there is none.
  public func report(of name: String) -> Report? { reports[name] }

  mutating func record(_ name: String, at position: Coordinate, _ now: BootInstant) -> Report {
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
