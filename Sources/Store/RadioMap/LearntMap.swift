import Platform
import Ports
import RadioSignals
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The file of learnt data: places of access points and cells under pseudonyms, and the salt for
/// these. Readable for its user only.
///
/// Its rows are measurements that recur, so they are written with `synchronous = NORMAL`: a power
/// cut may lose the last updates and nothing else.
final class LearntMap {
  /// Small pages, because few rows change per update.
  private static let kind = DatabaseFormat(
    .learntMap, applicationID: DatabaseKind.learntMapID, pageSize: 1024,
    checkpointPages: 256, cacheKilobytes: 64, isDurable: false
  ) { (database) throws(Database.Failure) in try create(in: database) }
  /// The limit is checked only after so many updates.
  private static let lessonsPerCount = 64

  let salt: [UInt8]
  private let database: Database
  private let mostAccessPoints: Int
  private var lessonsUntilCount = 1

  /// Creates the file if there is none.
  init(path: String, mostAccessPoints: Int) throws(Database.Failure) {
    self.mostAccessPoints = mostAccessPoints
    database = try Self.kind.open(path)
    let row = try database.prepared("SELECT value FROM meta WHERE key = 'salt'")
    salt = try row.step() ? row.blob(0) : []
    row.reset()
    guard salt.count == Pseudonyms.saltSize else {
      throw Database.Failure(kind: .damaged, text: "its salt is missing")
    }
  }

  private static func create(in database: Database) throws(Database.Failure) {
    var salt = [UInt8](repeating: 0, count: Pseudonyms.saltSize)
    guard getentropy(&salt, salt.count) == 0 else {
      throw Database.Failure(kind: .other, text: SystemError.last.text)
    }
    try database.execute(
      """
      CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
      CREATE TABLE access_points (
        id INTEGER PRIMARY KEY, latitude_deg REAL, longitude_deg REAL, weight REAL,
        spread_m REAL, reach_m REAL, strength_dBm REAL, fixes INTEGER, days INTEGER,
        last_heard_s INTEGER,
        rival_latitude_deg REAL, rival_longitude_deg REAL, rival_fixes INTEGER,
        doubt INTEGER, moves INTEGER, is_mobile INTEGER);
      CREATE INDEX access_points_by_time ON access_points (last_heard_s);
      CREATE TABLE cells (
        id INTEGER PRIMARY KEY, latitude_deg REAL, longitude_deg REAL, spread_m REAL,
        fixes INTEGER, days INTEGER, last_heard_s INTEGER);
      """)
    let row = try database.prepared("INSERT INTO meta VALUES ('salt', ?1)")
    row.bind(1, salt)
    try row.run()
  }

  // MARK: Reading

  func accessPoints(_ pseudonyms: [Int64]) throws(Database.Failure) -> [AccessPointPlace] {
    var places: [AccessPointPlace] = []
    for pseudonym in pseudonyms {
      let row = try database.prepared("SELECT * FROM access_points WHERE id = ?1")
      row.bind(1, pseudonym)
      if try row.step(), let place = AccessPointPlace(row) { places.append(place) }
      row.reset()
    }
    return places
  }

  func cell(_ pseudonym: Int64) throws(Database.Failure) -> LearntCell? {
    let row = try database.prepared("SELECT * FROM cells WHERE id = ?1")
    row.bind(1, pseudonym)
    defer { row.reset() }
    return try row.step() ? LearntCell(row) : nil
  }

  var accessPointCount: Int {
    get throws(Database.Failure) {
      Int(try database.integer("SELECT count(*) FROM access_points") ?? 0)
    }
  }

  // MARK: Learning

  func save(
    _ accessPoints: [AccessPointPlace], cell: LearntCell?
  ) throws(Database.Failure) {
    guard !accessPoints.isEmpty || cell != nil else { return }
    try database.transaction { () throws(Database.Failure) in
      for place in accessPoints { try save(place) }
      if let cell { try save(cell) }
      lessonsUntilCount -= 1
      if lessonsUntilCount <= 0 {
        lessonsUntilCount = Self.lessonsPerCount
        try forgetOldest()
      }
    }
  }

  private func save(_ place: AccessPointPlace) throws(Database.Failure) {
    let row = try database.prepared(
      """
      INSERT OR REPLACE INTO access_points
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      """)
    row.bind(1, place.pseudonym)
    row.bind(2, place.position.latitude.value)
    row.bind(3, place.position.longitude.value)
    row.bind(4, place.weight)
    row.bind(5, place.spread.value)
    row.bind(6, place.reach.value)
    row.bind(7, place.strength)
    row.bind(8, Int64(place.fixes))
    row.bind(9, Int64(place.days))
    row.bind(10, place.lastReceived.nanoseconds / 1_000_000_000)
    row.bind(11, place.rival?.position.latitude.value)
    row.bind(12, place.rival?.position.longitude.value)
    row.bind(13, place.rival.map { Int64($0.fixes) })
    row.bind(14, Int64(place.doubt))
    row.bind(15, Int64(place.moves))
    row.bind(16, Int64(place.isMobile ? 1 : 0))
    try row.run()
  }

  private func save(_ cell: LearntCell) throws(Database.Failure) {
    let row = try database.prepared(
      "INSERT OR REPLACE INTO cells VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    row.bind(1, cell.pseudonym)
    row.bind(2, cell.position.latitude.value)
    row.bind(3, cell.position.longitude.value)
    row.bind(4, cell.spread.value)
    row.bind(5, Int64(cell.fixes))
    row.bind(6, Int64(cell.days))
    row.bind(7, cell.lastReceived.nanoseconds / 1_000_000_000)
    try row.run()
  }

  private func forgetOldest() throws(Database.Failure) {
    for (table, most) in [("access_points", mostAccessPoints), ("cells", mostAccessPoints / 5)] {
      let count = Int(try database.integer("SELECT count(*) FROM \(table)") ?? 0)
      guard count > most else { continue }
      try database.execute(
        "DELETE FROM \(table) WHERE id IN "
          + "(SELECT id FROM \(table) ORDER BY last_heard_s LIMIT \(count - most))")
    }
  }
}
