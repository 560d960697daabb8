import Platform
import RadioSignals
import Core
import Records

/// The imported places of cells. The file is only ever replaced as a whole, so it is read without
/// locks.
final class CellTable {
  /// Of the file's schema.
  static let version: Int64 = 1
  /// Positions are kept in millionths of a degree, 0.1 m.
  static let unitsPerDegree = 1e6

  let path: String
  private let database: Database
  private let identity: FileIdentity?

  /// - Returns: nil if there is no such file, or an empty one.
  init?(path: String) throws(Database.Failure) {
    guard let identity = FileIdentity(path: path) else { return nil }
    let kind = DatabaseKind(path: path, followsLinks: true)
    if let objection = kind.objection(to: .cellTable) {
      throw Database.Failure(kind: .foreign, text: objection)
    }
    guard kind == .cellTable else { return nil }
    self.path = path
    self.identity = identity
    database = try Database(path: path, access: .immutable, cacheKilobytes: 64)
    try database.refuseForeignSchema()
    let version = try database.integer("PRAGMA user_version")
    guard version == Self.version else {
      throw Database.Failure(
        kind: .other,
        text: "it is not a cell table of this version (\(version ?? 0), not \(Self.version)); "
          + "import it again with `godwit cells import`")
    }
  }

  /// Whether the file of that name is still the opened one.
  var isCurrent: Bool { FileIdentity(path: path) == identity }

  func place(of cell: CellIdentity) throws(Database.Failure) -> CellPlace? {
    let row = try database.prepared(
      "SELECT latitude, longitude, range_m, samples FROM cells WHERE id = ?1")
    row.bind(1, CellKey.of(cell))
    defer { row.reset() }
    guard try row.step(), let latitude = row.integer(0), let longitude = row.integer(1),
      let position = Coordinate(
        checkedLatitude: Double(latitude) / Self.unitsPerDegree,
        longitude: Double(longitude) / Self.unitsPerDegree),
      let range = row.integer(2), let samples = row.integer(3)
    else { return nil }
    return CellPlace(
      position: position, range: Metres(Double(range)), samples: Int(clamping: max(0, samples)))
  }
}
