import Core

extension JSONExtent {
  /// Bytes: twice the limit of `PlaceLimits`, except for texts full of control characters. Values:
  /// three times the numbers and brackets of the most corners.
  static let placeLimits = Limits(bytes: 1 << 23, values: 250_000)
}

extension JSONExtent.Excess {
  /// Why a place is refused.
  var reason: String {
    let limits = JSONExtent.placeLimits
    return switch self {
    case .bytes: "it has more than \(limits.bytes) bytes: shorten its texts"
    case .values: "it has more than \(limits.values) values: simplify its polygons"
    }
  }
}
