import Core
import Platform
import Ports
import Records

/// One retention run: deletes the oldest records according to the limits, but of no table more than
/// its share. Open visits and sessions stay, and so do destinations with a visit or a label. The
/// space of deleted records is reused; the file does not shrink.
struct RetentionRun {
  /// Free space inside the file for about a week, made when the disk is short of space.
  static let reserve = 1 << 20

  private let store: GeoPackageStore
  private let limits: RetentionLimits
  private let now: UTCInstant
  /// How many rows of each table may still be deleted.
  private var allowance: [String: Int] = [:]
  private var report = RetentionReport()

  static func perform(
    _ limits: RetentionLimits, on store: GeoPackageStore, now: UTCInstant, freeBytes: Int?
  ) throws(PortError) -> RetentionReport {
    var run = RetentionRun(store: store, limits: limits, now: now)
    // Restarts must not delete more: a wrong limit must be noticed before everything is gone.
    if try run.isDue() {
      if let age = limits.age {
        try run.delete(before: now - age, withVisits: true)
      }
      if let points = limits.points, let oldest = try run.oldest(ofNewest: points) {
        try run.delete(before: oldest, withVisits: false)
      }
    }
    let size = try run.pragma("page_count") * run.pragma("page_size")
    if limits.makesRoom(free: freeBytes, size: size) { try run.makeRoom() }
    return run.report
  }

  private init(store: GeoPackageStore, limits: RetentionLimits, now: UTCInstant) {
    self.store = store
    self.limits = limits
    self.now = now
  }

  private var connection: Connection { store.connection }

  private static let points = TrackPoint.layout.name
  private static let visits = Visit.layout.name
  private static let destinations = Destination.layout.name

  // MARK: Once a day

  /// Less than the daemon's interval of a day, as its clock may be slow.
  private static let pause = Seconds.hours(20)

  private func isDue() throws(PortError) -> Bool {
    guard let text = try connection.meta(.retentionRun), let last = DateTime.parse(text) else {
      return true
    }
    // A date in the future comes from a wrong clock.
    return !(0..<Self.pause.value).contains((now - last).value)
  }

  private func pragma(_ name: String) throws(PortError) -> Int {
    Int(try connection.integer("PRAGMA \(name)") ?? 0)
  }

  /// Deletes the oldest twentieth, repeatedly, until new records fit into the file for a while.
  private mutating func makeRoom() throws(PortError) {
    let pageSize = try pragma("page_size")
    while try pragma("freelist_count") * pageSize < Self.reserve {
      let count = try self.count(Self.points)
      guard let oldest = try oldest(ofNewest: count - max(1, count / 20)) else { return }
      let before = report
      try delete(before: oldest, withVisits: false)
      guard report.trackPoints > before.trackPoints else { return }
    }
  }

  /// The time of the oldest of the newest `count` points; nil if there are fewer.
  private func oldest(ofNewest count: Int) throws(PortError) -> UTCInstant? {
    guard count > 0 else { return nil }
    let statement = try connection.prepareOnce(
      "SELECT id FROM track_points ORDER BY id DESC LIMIT 1 OFFSET ?1")
    statement.bind(1, Int64(count - 1))
    guard try statement.step(), let oldestKept = statement.integer(0) else { return nil }
    // The id of a point is its time in microseconds, unless another program assigned it.
    let (nanoseconds, overflows) = oldestKept.multipliedReportingOverflow(by: 1000)
    guard !overflows else { return UTCInstant(nanoseconds: oldestKept < 0 ? .min : .max) }
    return UTCInstant(nanoseconds: nanoseconds)
  }

  private mutating func delete(before cutoff: UTCInstant, withVisits: Bool) throws(PortError) {
    var run = self
    try store.change { (contents) throws(PortError) in
      let points = try run.delete(Self.points, "id < ?2", cutoff)
      for table in Table.ofRecords {
        guard let layout = table.layout, let condition = Self.isOlder(layout) else { continue }
        let count = try run.delete(layout.name, condition, cutoff)
        run.report.others += count
        if count > 0, table.isLayer { try contents.measure(layout.name, in: run.connection) }
      }
      let visits =
        withVisits ? try run.delete(Self.visits, "departure < ?1", by: "departure", cutoff) : 0
      let destinations = visits > 0 ? try run.deleteUnvisited() : 0
      for (table, count) in [
        (Self.points, points), (Self.visits, visits), (Self.destinations, destinations),
      ] where count > 0 { try contents.measure(table, in: run.connection) }
      if points + visits + run.report.others > report.others {
        try run.connection.setMeta(.retentionRun, DateTime.text(run.now))
      }
      run.report.trackPoints += points
      run.report.visits += visits
      run.report.destinations += destinations
    }
    self = run
  }

  /// A row without a time expires if its id is below that of an expired row and below all that are
  /// not expired: ids are assigned in the order of time, but a date may have been wrong for a
  /// while.
  ///
  /// Nil for kinds without a time, or with a rule of their own here.
  private static func isOlder(_ table: TableLayout) -> String? {
    guard let time = table.time else { return nil }
    return """
      \(table.expiry ?? "TRUE") AND (\(time) < ?1 OR \(time) IS NULL AND id < min(
        (SELECT max(id) FROM \(table.name) WHERE \(time) < ?1),
        coalesce((SELECT min(id) FROM \(table.name) WHERE \(time) >= ?1), \(Int64.max))))
      """
  }

  /// Deletes rows in the order of `key`, as many as the table's share allows.
  /// - Parameter condition: `?1` is the cutoff as text, `?2` in microseconds.
  private mutating func delete(
    _ table: String, _ condition: String, by key: String = "id", _ cutoff: UTCInstant
  ) throws(PortError) -> Int {
    let rows = "\(table) WHERE \(condition)"
    let allowed = try allowance(of: table)
    let due = try count("SELECT count(*) FROM \(rows)", cutoff)
    var limit = ""
    if due > allowed {
      report.isCutShort = true
      limit = " AND \(key) < (SELECT \(key) FROM \(rows) ORDER BY \(key) LIMIT 1 OFFSET \(allowed))"
    }
    let statement = try connection.prepareOnce("DELETE FROM \(rows)\(limit)", doing: "delete from")
    statement.bind(1, cutoff)
    statement.bind(2, cutoff.wholeMicroseconds)
    try statement.run()
    allowance[table] = max(0, allowed - connection.changes)
    return connection.changes
  }

  private mutating func allowance(of table: String) throws(PortError) -> Int {
    if let allowed = allowance[table] { return allowed }
    let allowed = Int((Double(try count(table)) * limits.share).rounded(.up))
    allowance[table] = allowed
    return allowed
  }

  private func deleteUnvisited() throws(PortError) -> Int {
    let statement = try connection.prepareOnce(
      """
      DELETE FROM destinations WHERE coalesce(label, '') = '' AND id NOT IN
        (SELECT destination_id FROM visits WHERE destination_id IS NOT NULL)
      """, doing: "delete from")
    try statement.run()
    return connection.changes
  }

  private func count(_ table: String) throws(PortError) -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)
  }

  private func count(_ sql: String, _ cutoff: UTCInstant) throws(PortError) -> Int {
    let statement = try connection.prepareOnce(sql)
    statement.bind(1, cutoff)
    statement.bind(2, cutoff.wholeMicroseconds)
    return try statement.step() ? Int(statement.integer(0) ?? 0) : 0
  }
}

extension GeoPackageStore {
  public func applyRetention(now: UTCInstant) throws(PortError) -> String? {
    let report = try applyRetention(retention, now: now)
    guard !report.isEmpty else { return nil }
    return "deleted \(Counted.text(report.trackPoints, "track point")), "
      + "\(Counted.text(report.visits, "visit")), "
      + "\(Counted.text(report.destinations, "destination")) and "
      + Counted.text(report.others, "other record")
      + (report.isCutShort ? "; more is due, but one run deletes only a share" : "")
  }

  /// Deletes records according to the limits, see `RetentionRun`.
  func applyRetention(
    _ limits: RetentionLimits, now: UTCInstant
  ) throws(PortError) -> RetentionReport {
    try applyRetention(limits, now: now, freeBytes: FileSystem.freeBytes(at: name))
  }

  func applyRetention(
    _ limits: RetentionLimits, now: UTCInstant, freeBytes: Int?
  ) throws(PortError) -> RetentionReport {
    try RetentionRun.perform(limits, on: self, now: now, freeBytes: freeBytes)
  }
}
