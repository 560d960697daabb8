import Ports
import Quantities

extension GeoPackageStore {
  /// A smaller store is not what fills a disk.
  static let smallestLimitedFile = 4 << 20
  /// Room inside the file for about a week, made when the disk is short of space.
  static let reserve = 1 << 20

  public func tidy(now: UTCInstant) throws(StoreError) -> String? {
    let report = try applyRetention(retention, now: now)
    guard !report.isEmpty else { return nil }
    return "deleted \(report.trackPoints) track points, \(report.visits) visits, "
      + "\(report.destinations) destinations and \(report.others) other records"
  }

  /// Deletes the oldest records, as far as the limits ask for it. Open visits and sessions stay,
  /// and so do destinations with a visit or a label. The space of deleted records is used again;
  /// the file does not shrink.
  public func applyRetention(
    _ limits: RetentionLimits, now: UTCInstant
  ) throws(StoreError) -> RetentionReport {
    try applyRetention(limits, now: now, freeBytes: DiskSpace.free(at: name))
  }

  func applyRetention(
    _ limits: RetentionLimits, now: UTCInstant, freeBytes: Int?
  ) throws(StoreError) -> RetentionReport {
    var report = RetentionReport()
    if let age = limits.age {
      try delete(before: now - age, withVisits: true, &report)
    }
    if let points = limits.points, let oldest = try oldest(ofNewest: points) {
      try delete(before: oldest, withVisits: false, &report)
    }
    if let minimum = limits.minimumFree, let freeBytes, freeBytes < minimum {
      try makeRoom(&report)
    }
    return report
  }

  private func pragma(_ name: String) throws(StoreError) -> Int {
    Int(try connection.integer("PRAGMA \(name)") ?? 0)
  }

  /// Cuts the oldest twentieth until new records fit into the file for a while.
  private func makeRoom(_ report: inout RetentionReport) throws(StoreError) {
    let pageSize = try pragma("page_size")
    guard try pragma("page_count") * pageSize > Self.smallestLimitedFile else { return }
    for _ in 0..<20 {
      guard try pragma("freelist_count") * pageSize < Self.reserve else { return }
      let count = Int(try connection.integer("SELECT count(*) FROM track_points") ?? 0)
      guard let oldest = try oldest(ofNewest: count - max(1, count / 20)) else { return }
      try delete(before: oldest, withVisits: false, &report)
    }
  }

  /// The time of the oldest of the newest `count` points; nil when there are not that many.
  private func oldest(ofNewest count: Int) throws(StoreError) -> UTCInstant? {
    guard count > 0 else { return nil }
    let statement = try connection.prepareOnce(
      "SELECT id FROM track_points ORDER BY id DESC LIMIT 1 OFFSET ?1")
    statement.bind(1, Int64(count - 1))
    guard try statement.step(), let oldestKept = statement.integer(0) else { return nil }
    return UTCInstant(nanoseconds: oldestKept.multipliedReportingOverflow(by: 1000).partialValue)
  }

  private func delete(
    before cutoff: UTCInstant, withVisits: Bool, _ report: inout RetentionReport
  ) throws(StoreError) {
    var deleted = RetentionReport()
    try change { (entries) throws(StoreError) in
      deleted.trackPoints = try self.delete("track_points WHERE id < ?2", cutoff)
      // Rows without a time go with the dated ones that came after them.
      for (table, time) in [
        ("events", "time"), ("coarse_observations", "time"), ("power_segments", "start"),
      ] {
        deleted.others += try self.delete(
          "\(table) WHERE id <= (SELECT max(id) FROM \(table) WHERE \(time) < ?1)", cutoff)
      }
      deleted.others += try self.delete(
        """
        gnss_sessions WHERE outcome <> 'open'
          AND id <= (SELECT max(id) FROM gnss_sessions WHERE power_on < ?1)
        """, cutoff)
      if withVisits {
        deleted.visits = try self.delete("visits WHERE departure < ?1", cutoff)
      }
      if deleted.visits > 0 {
        deleted.destinations = try self.delete(
          """
          destinations WHERE coalesce(label, '') = '' AND id NOT IN
            (SELECT destination_id FROM visits WHERE destination_id IS NOT NULL)
          """, cutoff)
      }
      for (table, count) in [
        (Table.trackPoints, deleted.trackPoints), (.visits, deleted.visits),
        (.destinations, deleted.destinations),
      ] where count > 0 { entries[table]?.replaceExtent(try self.extent(of: table)) }
    }
    report.trackPoints += deleted.trackPoints
    report.visits += deleted.visits
    report.destinations += deleted.destinations
    report.others += deleted.others
  }

  /// `?1` is the time as text, `?2` in microseconds.
  private func delete(_ rows: String, _ cutoff: UTCInstant) throws(StoreError) -> Int {
    let statement = try connection.prepareOnce("DELETE FROM \(rows)", doing: "delete from")
    statement.bind(1, cutoff)
    statement.bind(2, DateTime.microseconds(cutoff))
    try statement.run()
    return connection.changes
  }

  private func extent(of table: Table) throws(StoreError) -> Extent? {
    let statement = try connection.prepareOnce("SELECT geom FROM \(table.rawValue)")
    var extent: Extent?
    while try statement.step() {
      guard let place = PointGeometry.decode(statement.blob(0)) else { continue }
      extent = extent.map { $0.united(with: Extent(place)) } ?? Extent(place)
    }
    return extent
  }
}
