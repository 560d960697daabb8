import Core
import Places
import Runtime

/// The positions of places that move with a device: the last ones reported to the daemon.
struct DevicePositions {
  /// Nil: no daemon can be queried.
  private let socket: String?
  private var reports: [String: (position: Coordinate, age: Seconds)?] = [:]

  init(askingAt socket: String?) { self.socket = socket }

  /// The position of a place; nil: it moves with a device whose position is unknown.
  mutating func position(of place: Place) -> Coordinate? {
    switch place.location {
    case .fixed(let position): position
    case .following: report(of: place)?.position
    }
  }

  /// Nil: the place moves with no device, or the last report is too old.
  mutating func report(of place: Place) -> (position: Coordinate, age: Seconds)? {
    guard case .following(let device) = place.location else { return nil }
    let report = reports[device.name] ?? query(device.name)
    reports[device.name] = .some(report)
    return report.flatMap { $0.age <= device.maxReportAge ? $0 : nil }
  }

  private func query(_ name: String) -> (position: Coordinate, age: Seconds)? {
    guard let socket,
      let answer = try? ControlClient.query(ControlRequest.deviceSought(name).json, path: socket),
      let latitude = answer["lat"]?.number, let longitude = answer["lon"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let age = answer["age_s"]?.number
    else { return nil }
    return (position, Seconds(age))
  }
}

extension BoardOptions {
  var devices: DevicePositions { DevicePositions(askingAt: socketPath) }
}
