import Core

/// The server's answer.
enum LookUpAnswer: Equatable {
  case located(Coordinate, accuracy: Metres)
  /// The server has no position for the access points and cell.
  case unknown
  /// The server refuses, or its answer is not valid; the reason is text for people.
  case refused(String)

  /// Ichnaea's accuracy is the 95 % radius; 68 % of two-dimensional errors lie within this share of
  /// it: √(ln 0.32 / ln 0.05).
  private static let of95 = 0.616_7
  /// Half the way around the Earth.
  private static let farthest = 20_000_000.0

  /// - Parameter status: of HTTP.
  init(status: Int, body: [UInt8]) {
    switch status {
    case 200: self = Self.location(in: body)
    // Ichnaea: "notFound".
    case 404: self = .unknown
    case 400: self = .refused("it does not understand the request (400)")
    case 401, 403: self = .refused("it needs a key, or refuses the key in the URL (\(status))")
    case 429: self = .refused("it was queried too often (429)")
    default: self = .refused("it answers with HTTP status \(status)")
    }
  }

  private static func location(in body: [UInt8]) -> LookUpAnswer {
    guard let answer = try? JSONValue(parsing: String(decoding: body, as: UTF8.self)) else {
      return .refused("its answer is not JSON")
    }
    // A position from the cell's area or the connection's address alone is of no use.
    if let fallback = answer["fallback"], fallback != .null { return .unknown }
    guard let latitude = answer["location"]?["lat"]?.number,
      let longitude = answer["location"]?["lng"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      !position.isNullIsland,
      let accuracy = answer["accuracy"]?.number, accuracy > 0, accuracy <= farthest
    else { return .refused("its answer has no valid location") }
    return .located(position, accuracy: Metres(accuracy * of95))
  }
}
