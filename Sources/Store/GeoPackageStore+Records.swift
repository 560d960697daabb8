import Ports
import Quantities
import Records

extension GeoPackageStore {
  func write(_ record: Record, _ entries: inout [Table: ContentsEntry]) throws(StoreError) {
    switch record {
    case .trackPoint(let point):
      try write(point)
      entries[.trackPoints]?.include(point.location.place)
      entries[.trackPoints]?.changed(at: point.location.time)
    case .trackPointReplaced(let time): try deleteCoarsePoint(at: time)
    case .visit(let visit):
      try write(visit)
      entries[.visits]?.include(visit.place)
      entries[.visits]?.changed(at: visit.departure?.estimate ?? visit.arrival.estimate)
    case .visitWithdrawn(let id): try deleteVisit(id)
    case .destination(let destination):
      try write(destination)
      entries[.destinations]?.include(destination.place)
    case .session(let session):
      try write(session)
      entries[.sessions]?.changed(at: session.off ?? session.on)
    case .coarse(let observation):
      try write(observation)
      entries[.coarse]?.changed(at: observation.time)
    case .powerSegment(let segment):
      try write(segment)
      entries[.segments]?.changed(at: segment.start + segment.duration)
    case .event(let note, let time):
      try write(note, time)
      entries[.events]?.changed(at: time)
    case .trackerState(let text): try connection.setMeta("tracker_state", text)
    }
  }

  private func statement(_ sql: String) throws(StoreError) -> Statement {
    try connection.prepared(sql, doing: "write to")
  }

  /// Points of the same microsecond get the next free id, so that none is lost.
  private func write(_ point: TrackPoint) throws(StoreError) {
    let row = try statement(
      """
      INSERT OR REPLACE INTO track_points VALUES (
        coalesce((SELECT max(id) + 1 FROM track_points WHERE id BETWEEN ?1 AND ?1 + 999), ?1),
        ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    let location = point.location
    row.bind(1, DateTime.microseconds(location.time))
    row.bind(2, location.place)
    row.bind(3, location.time)
    row.bind(4, location.accuracy)
    row.bind(5, location.altitude)
    row.bind(6, location.speed)
    row.bind(7, location.track)
    row.bind(8, location.source.rawValue)
    row.bind(9, point.reason.rawValue)
    row.bind(10, point.session)
    try row.run()
  }

  private func deleteCoarsePoint(at time: UTCInstant) throws(StoreError) {
    let row = try statement(
      """
      DELETE FROM track_points
      WHERE id BETWEEN ?1 AND ?1 + 999 AND time = ?2 AND reason = 'coarse'
      """)
    row.bind(1, DateTime.microseconds(time))
    row.bind(2, time)
    try row.run()
  }

  private func write(_ visit: Visit) throws(StoreError) {
    let row = try statement(
      "INSERT OR REPLACE INTO visits VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
    row.bind(1, visit.id)
    row.bind(2, visit.place)
    row.bind(3, visit.arrival.estimate)
    row.bind(4, visit.arrival.earliest)
    row.bind(5, visit.arrival.latest)
    row.bind(6, visit.departure?.estimate)
    row.bind(7, visit.departure?.earliest)
    row.bind(8, visit.departure?.latest)
    row.bind(9, visit.accuracy)
    row.bind(10, visit.confidence)
    row.bind(11, Int64(visit.locations))
    row.bind(12, visit.destination)
    try row.run()
  }

  private func deleteVisit(_ id: Int64) throws(StoreError) {
    let row = try statement("DELETE FROM visits WHERE id = ?1")
    row.bind(1, id)
    try row.run()
  }

  /// The label of a known destination is the user's: the tracker cannot take it back.
  private func write(_ destination: Destination) throws(StoreError) {
    let row = try statement(
      """
      INSERT INTO destinations VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (id) DO UPDATE SET geom = excluded.geom, radius_m = excluded.radius_m,
        visit_count = excluded.visit_count, total_dwell_s = excluded.total_dwell_s
      """)
    row.bind(1, destination.id)
    row.bind(2, destination.place)
    row.bind(3, destination.radius)
    row.bind(4, Int64(destination.visits))
    row.bind(5, destination.totalDwell)
    row.bind(6, destination.label)
    try row.run()
  }

  private func write(_ session: GnssSession) throws(StoreError) {
    let row = try statement(
      """
      INSERT OR REPLACE INTO gnss_sessions
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """)
    var firstFix: UTCInstant?
    if let on = session.on, let time = session.timeToFirstFix { firstFix = on + time }
    row.bind(1, session.id)
    row.bind(2, session.on)
    row.bind(3, firstFix)
    row.bind(4, session.off)
    row.bind(5, session.duration)
    row.bind(6, session.timeToFirstFix)
    row.bind(7, Int64(session.fixesAccepted))
    row.bind(8, Int64(session.fixesRejected))
    row.bind(9, session.outcome.rawValue)
    row.bind(10, session.charge?.milliampereHours)
    row.bind(11, session.energy)
    row.bind(12, Int64(session.energyIsMeasured ? 1 : 0))
    try row.run()
  }

  private func write(_ observation: CoarseObservation) throws(StoreError) {
    let row = try statement(
      "INSERT INTO coarse_observations VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    row.bind(1, observation.time)
    row.bind(2, observation.received - .zero)
    row.bind(3, observation.place?.latitude)
    row.bind(4, observation.place?.longitude)
    row.bind(5, observation.accuracy)
    row.bind(6, observation.accessPoint)
    row.bind(7, observation.source)
    try row.run()
  }

  private func write(_ segment: PowerSegment) throws(StoreError) {
    let row = try statement(
      "INSERT INTO power_segments VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    row.bind(1, segment.state.rawValue)
    row.bind(2, segment.start)
    row.bind(3, segment.duration)
    row.bind(4, segment.charge.milliampereHours)
    row.bind(5, segment.energy)
    row.bind(6, segment.energyUncertainty)
    row.bind(7, segment.basis.rawValue)
    try row.run()
  }

  private func write(_ note: Note, _ time: UTCInstant?) throws(StoreError) {
    let row = try statement("INSERT INTO events VALUES (NULL, ?1, ?2, ?3, ?4)")
    row.bind(1, time)
    row.bind(2, note.level.rawValue)
    row.bind(3, note.kind)
    row.bind(4, note.reason)
    try row.run()
  }
}
