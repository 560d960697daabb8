import Core

extension JSONExtent {
  /// Of bytes twice what `PlaceLimits` lets a place hold, but for texts full of control characters;
  /// of values three times the numbers and brackets of as many corners as it has.
  static let placeLimits = Limits(bytes: 1 << 23, values: 250_000)
}

extension JSONExtent.Excess {
  /// Of a place.
  var reason: String {
    let limits = JSONExtent.placeLimits
    return switch self {
    case .bytes: "it has more than \(limits.bytes) bytes: shorten its texts"
    case .values: "it has more than \(limits.values) values: simplify its polygons"
    }
  }
}
