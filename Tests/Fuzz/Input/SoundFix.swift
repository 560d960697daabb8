import Core
import GNSS

extension Fix {
  /// Requirements for every fix, whatever its source: on Earth, finite, in its ranges.
  public func requireSound() throws(Violation) {
    try require((mode == .none) == (position == nil), "a mode without a position, or the reverse")
    if let position {
      let isOnEarth =
        position.latitude.magnitude <= 90 && position.longitude.magnitude <= 180
      try require(isOnEarth && !position.isNullIsland, "off the Earth: \(position)")
    }
    try require((0..<360).contains(track?.value ?? 0), "no course: \(self)")
    for size in [
      speed?.value, horizontalError?.value, verticalError?.value, speedError?.value, hdop, vdop,
      pdop, satellitesUsed.map(Double.init), satellitesInView.map(Double.init),
    ] {
      if let size { try require(size >= 0 && size.isFinite, "no size: \(size) in \(self)") }
    }
    for number in [altitudeMSL?.value, altitudeHAE?.value, geoidSeparation?.value, climb?.value] {
      if let number { try require(number.isFinite, "not finite: \(self)") }
    }
  }
}
