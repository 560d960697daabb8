import Places
import Core
import Formats
import Ports
import Records

/// Checked places and alerts from the store. Other programs write the rows, too, without checks. An
/// error in a row is reported once, and the other rows are used.
final class PlaceSource {
  /// The maximum number of place changes reported at a time.
  private static let mostEdits = 200
  /// The maximum number of frequently visited places.
  private static let mostVisited = 1000

  private let writer: StoreWriter
  private let zones: any TimeZonePort
  private let log: LogChannel
  private let visitor: Visitor
  private var remarks = PlaceRemarks()
  /// The day on which frequently visited places were determined; nil: no alert needs them.
  private var countedOn: Int64?
  /// The last change that was reported.
  private var lastEdit: Int64 = 0

  /// - Parameter visitor: the visitor that the board represents.
  init(_ writer: StoreWriter, zones: any TimeZonePort, visitor: Visitor, log: LogChannel) {
    self.writer = writer
    self.zones = zones
    self.visitor = visitor
    self.log = log
  }

  // MARK: Places

  struct Found {
    var places: [Place] = []
    /// For places with a schedule.
    var openings: [PlaceID: PlaceOpening] = [:]
    /// Whether the result is incomplete: too many places, or too many edges.
    var isCut = false
  }

  /// The places visible to the visitor, those nearest to the centre of the box first. Nil: the
  /// store cannot be read at present.
  /// - Parameter edges: the limit for the edges of all places together.
  func places(
    near box: GeographicBox, atMost most: Int, edges: Int = EdgeLimit.most, at now: BootInstant
  ) throws(PortError) -> Found? {
    var wrong: [String] = []
    var found = Found()
    var allowance = EdgeLimit(edges)
    let reading = try writer.query { (store) throws(PortError) in
      try store.places(near: box, atMost: most) { row in
        guard let place = checked(row, &wrong), visitor.sees(place) else { return }
        if allowance.admits(place) { found.places.append(place) } else { found.isCut = true }
      }
    }
    guard let reading else { return nil }
    found.isCut = found.isCut || reading.isCut
    for place in found.places where place.schedule != nil {
      do throws(RecurrenceError) {
        found.openings[place.id] = try PlaceOpening(
          of: place, local: zones.local, zones: zones.zone)
      } catch {
        wrong.append(
          PlaceRemarks.cut(
            "place \(place.name): its schedule \(error); it counts as always open"))
      }
    }
    remark(reading.remarks + wrong, at: now)
    return found
  }

  /// The maximum number of places for a policy that follows places.
  private static let mostAround = 1000
  /// The radius is not reduced below this; then only the nearest places are returned.
  private static let leastReach: Metres = 250

  /// All places within the cap. If there are too many, the radius is halved repeatedly.
  func surroundings(within cap: SphericalCap, at now: BootInstant) -> (Found, SphericalCap)? {
    var cap = cap
    // In addition to the watched places.
    while let found = try? places(
      near: cap.box, atMost: Self.mostAround, edges: EdgeLimit.most / 4, at: now)
    {
      guard found.isCut, cap.radius > Self.leastReach else { return (found, cap) }
      cap = SphericalCap(centre: cap.centre, radius: max(cap.radius / 2, Self.leastReach))
    }
    return nil
  }

  /// The places with beacons that are visible to the visitor. Nil: the store cannot be read at
  /// present.
  func placesWithBeacons(atMost most: Int, at now: BootInstant) throws(PortError) -> [Place]? {
    var wrong: [String] = []
    var places: [Place] = []
    var allowance = EdgeLimit()
    var isCut = false
    let reading = try writer.query { (store) throws(PortError) in
      try store.placesWithBeacons(atMost: most) { row in
        guard let place = checked(row, &wrong), visitor.sees(place) else { return }
        if allowance.admits(place) { places.append(place) } else { isCut = true }
      }
    }
    guard let reading else { return nil }
    if reading.isCut {
      wrong.append("more than \(most) places have beacons: those of the others are not received")
    }
    if isCut {
      wrong.append(
        "places with beacons have more than \(EdgeLimit.most) edges in all: some beacons are not "
          + "received; simplify the areas")
    }
    remark(reading.remarks + wrong, at: now)
    return places
  }

  /// The place of that UUID; nil: there is none, or the store cannot be read at present.
  func place(_ uuid: String) -> Place? {
    let answer = try? writer.query { (store) throws(PortError) in try store.place(uuid: uuid) }
    guard let answer, let row = answer else { return nil }
    return row.entry(.ofStore).place
  }

  private func checked(_ row: PlaceRow, _ wrong: inout [String]) -> Place? {
    let entry = row.entry(.ofStore)
    if let error = entry.error { wrong.append(PlaceRemarks.cut(error.description)) }
    return entry.place
  }

  // MARK: Alerts

  /// The alerts in force. Nil: the store cannot be read at present.
  func alerts(on date: UTCInstant?, at now: BootInstant) throws(PortError) -> [Alert]? {
    let found = try writer.query { (store) throws(PortError) in try store.alerts() }
    guard let found else { return nil }
    let rows = found.rows.filter { $0.isEnabled ?? true }
    var wrong = found.remarks
    if let first = found.firstBeyond {
      // First, because it affects correct alerts.
      wrong.insert(
        "more than \(StoredAlert.most) alerts are enabled: those from number \(first) on are "
          + "not active; disable some or remove them", at: 0)
    }
    countedOn = nil
    var visitor = visitor
    if rows.contains(where: { $0.isFollowed ?? false }) {
      visitor = try follower()
      countedOn = Self.day(date)
    }
    var alerts: [Alert] = []
    for row in rows {
      do throws(AlertError) {
        alerts.append(
          try Alert(row, visitor: visitor, local: zones.local, zones: zones.zone))
      } catch {
        let name = PlaceRemarks.cut(row.name ?? "\(row.id)")
        wrong.append("alert \(name): \(error)")
      }
    }
    remark(wrong, at: now)
    return alerts
  }

  /// Whether the places that are followed because of frequent visits may have changed.
  func isOutdated(on date: UTCInstant?) -> Bool {
    countedOn.map { $0 != Self.day(date) } ?? false
  }

  private static func day(_ date: UTCInstant?) -> Int64 {
    date.map { Int64(($0.seconds / 86_400).rounded(.down)) } ?? 0
  }

  private func follower() throws(PortError) -> Visitor {
    // Errors in these rows are reported where the places are watched.
    var wrong: [String] = []
    var visited: [Place] = []
    _ = try writer.query { (store) throws(PortError) in
      try store.placesVisited(onDays: Visitor.daysOfFollowers, atMost: Self.mostVisited) { row in
        if let place = checked(row, &wrong) { visited.append(place.undrawn()) }
      }
    }
    return Visitor(visitor.name, groups: visitor.groups, visited: visited)
  }

  // MARK: Changes

  /// The place changes since the last call, one per place, if an alert is about changes.
  /// - Returns: also the id of the last change; the changes up to it are no longer needed.
  func edits(
    for alerts: [Alert], at now: BootInstant
  ) throws(PortError) -> (edits: [PlaceEdit], last: Int64?) {
    guard alerts.contains(where: { $0.rule.kind == .changed }) else { return ([], nil) }
    let stored = try writer.query { (store) throws(PortError) in
      try store.placeEdits(after: lastEdit, atMost: Self.mostEdits)
    }
    guard let stored, let last = stored.last?.id else { return ([], nil) }
    lastEdit = last
    var known: Set<String> = []
    let edits = stored.compactMap { edit -> PlaceEdit? in
      // The state before the first of several changes counts.
      guard let uuid = edit.before.place.uuid, known.insert(uuid).inserted else { return nil }
      return PlaceEdit(edit)
    }
    return (edits.filter { visitor.sees($0.before) || $0.after.map(visitor.sees) ?? false }, last)
  }

  private func remark(_ wrong: [String], at now: BootInstant) {
    for text in remarks.newRemarks(wrong) {
      log.write("place-unread", text, level: .warning, at: now)
    }
  }
}

extension PlaceEdit {
  /// Nil if nothing has changed, or the earlier state cannot be read.
  fileprivate init?(_ edit: StoredPlaceEdit) {
    var row = edit.before
    let isDrawn = row.centre == nil && row.place.device == nil
    if isDrawn {
      // Any position will do: it is not compared.
      row.centre = Coordinate(latitude: 0, longitude: 0)
      row.radius = PlaceFileDefaults.ofStore.radius
    }
    guard let before = PlaceRow.circle(row).entry(.ofStore).place else { return nil }
    self.init(before, edit.after?.entry(.ofStore).place, isDrawn: isDrawn)
  }
}
