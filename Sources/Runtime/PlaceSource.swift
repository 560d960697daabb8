import Places
import Core
import Formats
import Ports
import Records

/// What the store has of places and alerts, checked. Nobody has checked the rows: people write them
/// with other programs, too. What is wrong with one is told once, and the others go on.
final class PlaceSource {
  /// So many changes of places are told of at a time.
  private static let mostEdits = 200
  /// Of the places where somebody comes often.
  private static let mostVisited = 1000

  private let writer: StoreWriter
  private let zones: any TimeZonePort
  private let log: LogChannel
  private let visitor: Visitor
  private var remarks = PlaceRemarks()
  /// On which day it was found out where somebody comes often; nil: nobody needs it.
  private var countedOn: Int64?
  /// The last change that people were told of.
  private var lastEdit: Int64 = 0

  /// - Parameter visitor: whom the board stands for.
  init(_ writer: StoreWriter, zones: any TimeZonePort, visitor: Visitor, log: LogChannel) {
    self.writer = writer
    self.zones = zones
    self.visitor = visitor
    self.log = log
  }

  // MARK: Places

  struct Found {
    var places: [Place] = []
    /// Of those that have a schedule.
    var openings: [PlaceID: PlaceOpening] = [:]
    /// Whether there are more, or some with more edges than there is room for.
    var isCut = false
  }

  /// Those that the board's person sees, the nearest to the middle of the box first. Nil: the store
  /// cannot tell at present.
  /// - Parameter edges: so many of all places together.
  func places(
    near box: GeographicBox, atMost most: Int, edges: Int = EdgeLimit.most, at now: BootInstant
  ) throws(PortError) -> Found? {
    var wrong: [String] = []
    var found = Found()
    var allowance = EdgeLimit(edges)
    let reading = try writer.ask { (store) throws(PortError) in
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

  /// So many places around are told to a policy that follows them.
  private static let mostAround = 1000
  /// Where more of them lie within so far, the nearest are told.
  private static let leastReach: Metres = 250

  /// All places within the cap, or within half its radius, and half of that, where there are too
  /// many.
  func surroundings(within cap: SphericalCap, at now: BootInstant) -> (Found, SphericalCap)? {
    var cap = cap
    // Beside those that are watched.
    while let found = try? places(
      near: cap.box, atMost: Self.mostAround, edges: EdgeLimit.most / 4, at: now)
    {
      guard found.isCut, cap.radius > Self.leastReach else { return (found, cap) }
      cap = SphericalCap(centre: cap.centre, radius: max(cap.radius / 2, Self.leastReach))
    }
    return nil
  }

  /// Those that have beacons, as far as the board's person sees them. Nil: the store cannot tell at
  /// present.
  func placesWithBeacons(atMost most: Int, at now: BootInstant) throws(PortError) -> [Place]? {
    var wrong: [String] = []
    var places: [Place] = []
    var allowance = EdgeLimit()
    var isCut = false
    let reading = try writer.ask { (store) throws(PortError) in
      try store.placesWithBeacons(atMost: most) { row in
        guard let place = checked(row, &wrong), visitor.sees(place) else { return }
        if allowance.admits(place) { places.append(place) } else { isCut = true }
      }
    }
    guard let reading else { return nil }
    if reading.isCut {
      wrong.append("more than \(most) places have beacons: nobody listens for the others'")
    }
    if isCut {
      wrong.append(
        "places with beacons have more than \(EdgeLimit.most) edges together: nobody listens "
          + "for some; simplify them")
    }
    remark(reading.remarks + wrong, at: now)
    return places
  }

  /// The place of that UUID; nil: there is none, or the store cannot tell at present.
  func place(_ uuid: String) -> Place? {
    let answer = try? writer.ask { (store) throws(PortError) in try store.place(uuid: uuid) }
    guard let answer, let row = answer else { return nil }
    return row.entry(.ofStore).place
  }

  private func checked(_ row: PlaceRow, _ wrong: inout [String]) -> Place? {
    let entry = row.entry(.ofStore)
    if let error = entry.error { wrong.append(PlaceRemarks.cut(error.description)) }
    return entry.place
  }

  // MARK: Alerts

  /// Those that are in force. Nil: the store cannot tell at present.
  func alerts(on date: UTCInstant?, at now: BootInstant) throws(PortError) -> [Alert]? {
    let found = try writer.ask { (store) throws(PortError) in try store.alerts() }
    guard let found else { return nil }
    let rows = found.rows.filter { $0.isEnabled ?? true }
    var wrong = found.remarks
    if let first = found.firstBeyond {
      // First: it concerns those that nothing is wrong with.
      wrong.insert(
        "more than \(StoredAlert.most) alerts are switched on: those from number \(first) on are "
          + "not in force; switch some off or remove them", at: 0)
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

  /// Whether whoever follows places by coming often may follow others by now.
  func isOutdated(on date: UTCInstant?) -> Bool {
    countedOn.map { $0 != Self.day(date) } ?? false
  }

  private static func day(_ date: UTCInstant?) -> Int64 {
    date.map { Int64(($0.seconds / 86_400).rounded(.down)) } ?? 0
  }

  private func follower() throws(PortError) -> Visitor {
    // What is wrong with them is told where they are watched.
    var wrong: [String] = []
    var visited: [Place] = []
    _ = try writer.ask { (store) throws(PortError) in
      try store.placesVisited(onDays: Visitor.daysOfFollowers, atMost: Self.mostVisited) { row in
        if let place = checked(row, &wrong) { visited.append(place.undrawn()) }
      }
    }
    return Visitor(visitor.name, groups: visitor.groups, visited: visited)
  }

  // MARK: Changes

  /// What was changed about places since, each once, as far as one of the alerts is about that.
  /// - Returns: the number of the last change, too, up to which nobody needs them any more.
  func edits(
    for alerts: [Alert], at now: BootInstant
  ) throws(PortError) -> (edits: [PlaceEdit], last: Int64?) {
    guard alerts.contains(where: { $0.rule.kind == .changed }) else { return ([], nil) }
    let stored = try writer.ask { (store) throws(PortError) in
      try store.placeEdits(after: lastEdit, atMost: Self.mostEdits)
    }
    guard let stored, let last = stored.last?.id else { return ([], nil) }
    lastEdit = last
    var known: Set<String> = []
    let edits = stored.compactMap { edit -> PlaceEdit? in
      // What it was before the first of several changes counts.
      guard let uuid = edit.before.place.uuid, known.insert(uuid).inserted else { return nil }
      return PlaceEdit(edit)
    }
    return (edits.filter { visitor.sees($0.before) || $0.after.map(visitor.sees) ?? false }, last)
  }

  private func remark(_ wrong: [String], at now: BootInstant) {
    for text in remarks.news(wrong) {
      log.write("place-unread", text, level: .warning, at: now)
    }
  }
}

extension PlaceEdit {
  /// Nil where nothing has changed, or what was before cannot be read.
  fileprivate init?(_ edit: StoredPlaceEdit) {
    var row = edit.before
    let isDrawn = row.centre == nil && row.place.device == nil
    if isDrawn {
      // Any place will do: it is not compared.
      row.centre = Coordinate(latitude: 0, longitude: 0)
      row.radius = PlaceFileDefaults.ofStore.radius
    }
    guard let before = PlaceRow.circle(row).entry(.ofStore).place else { return nil }
    self.init(before, edit.after?.entry(.ofStore).place, isDrawn: isDrawn)
  }
}
