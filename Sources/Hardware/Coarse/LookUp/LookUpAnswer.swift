import Core

/// What the server has answered.
enum LookUpAnswer: Equatable {
  case located(Coordinate, accuracy: Metres)
  /// It knows no place of what was heard.
  case unknown
  /// It refuses, or says nothing that can be understood; why, for people.
  case refused(String)

  /// Ichnaea's accuracy holds 95 %; of errors in two directions 68 % lie within this part of it:
  /// √(ln 0.32 / ln 0.05).
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
    case 401, 403: self = .refused("it wants a key, or refuses the one in the URL (\(status))")
    case 429: self = .refused("it was asked too often (429)")
    default: self = .refused("it answers with HTTP status \(status)")
    }
  }

  private static func location(in body: [UInt8]) -> LookUpAnswer {
    guard let answer = try? JSONValue(parsing: String(decoding: body, as: UTF8.self)) else {
      return .refused("what it answers is not JSON")
    }
    // Where only the area or the connection's address is known there is nothing to be gained.
    if let fallback = answer["fallback"], fallback != .null { return .unknown }
    guard let latitude = answer["location"]?["lat"]?.number,
      let longitude = answer["location"]?["lng"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      !position.isNullIsland,
      let accuracy = answer["accuracy"]?.number, accuracy > 0, accuracy <= farthest
    else { return .refused("its answer has no location that makes sense") }
    return .located(position, accuracy: Metres(accuracy * of95))
  }
}
