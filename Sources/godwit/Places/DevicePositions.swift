import Core
import Places
import Runtime

/// Where places are that go with a device: where the daemon has heard of that last.
struct DevicePositions {
  /// Nil: nobody can be asked.
  private let socket: String?
  private var heard: [String: (position: Coordinate, age: Seconds)?] = [:]

  init(askingAt socket: String?) { self.socket = socket }

  /// Where a place is; nil: it goes with a device, and that may be anywhere.
  mutating func position(of place: Place) -> Coordinate? {
    switch place.location {
    case .fixed(let position): position
    case .following: report(of: place)?.position
    }
  }

  /// Nil: the place goes with none, or nobody has heard of it for so long that it may be anywhere.
  mutating func report(of place: Place) -> (position: Coordinate, age: Seconds)? {
    guard case .following(let device) = place.location else { return nil }
    let report = heard[device.name] ?? ask(device.name)
    heard[device.name] = .some(report)
    return report.flatMap { $0.age <= device.patience ? $0 : nil }
  }

  private func ask(_ name: String) -> (position: Coordinate, age: Seconds)? {
    guard let socket,
      let answer = try? ControlClient.ask(ControlRequest.deviceSought(name).json, path: socket),
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
