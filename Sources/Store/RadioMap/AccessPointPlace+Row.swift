import RadioSignals
import Core

extension AccessPointPlace {
  /// Nil for an invalid row: it counts as unknown, and is learnt anew.
  init?(_ row: DatabaseStatement) {
    guard let pseudonym = row.integer(0), let position = row.position(1),
      let weight = row.real(3), weight > 0, weight <= 1e6, let spread = row.metres(4),
      let reach = row.metres(5), let strength = row.real(6), strength.magnitude <= 200,
      let fixes = row.count(7), fixes > 0, let days = row.count(8),
      let lastReception = row.time(9), let doubt = row.count(13), let moves = row.count(14),
      let isMobile = row.integer(15)
    else { return nil }
    var rival: Rival?
    if let position = row.position(10), let fixes = row.count(12) {
      rival = Rival(position: position, fixes: fixes)
    }
    self.init(
      pseudonym: pseudonym, position: position, weight: weight, spread: spread, reach: reach,
      strength: strength, fixes: fixes, days: days, lastReception: lastReception, rival: rival,
      doubt: doubt, moves: moves,
      isMobile: isMobile != 0)
  }
}

extension LearntCell {
  /// Nil for an invalid row.
  init?(_ row: DatabaseStatement) {
    guard let pseudonym = row.integer(0), let position = row.position(1),
      let spread = row.metres(3), let fixes = row.count(4), fixes > 0, let days = row.count(5),
      let lastReception = row.time(6)
    else { return nil }
    self.init(
      pseudonym: pseudonym, position: position, spread: spread, fixes: fixes, days: days,
      lastReception: lastReception)
  }
}

extension DatabaseStatement {
  /// Two columns, latitude and longitude in degrees.
  fileprivate func position(_ column: Int32) -> Coordinate? {
    guard let latitude = real(column), let longitude = real(column + 1) else { return nil }
    return Coordinate(checkedLatitude: latitude, longitude: longitude)
  }

  /// No distance on the Earth is larger.
  fileprivate func metres(_ column: Int32) -> Metres? {
    guard let value = real(column), (0...2.1e7).contains(value) else { return nil }
    return Metres(value)
  }

  fileprivate func count(_ column: Int32) -> Int? {
    guard let value = integer(column), (0...1_000_000).contains(value) else { return nil }
    return Int(value)
  }

  /// Seconds since 1970, within the range of an instant.
  fileprivate func time(_ column: Int32) -> UTCInstant? {
    guard let value = integer(column), value.magnitude < 9_000_000_000 else { return nil }
    return UTCInstant(nanoseconds: value * 1_000_000_000)
  }
}
