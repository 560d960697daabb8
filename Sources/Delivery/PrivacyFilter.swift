import Places
import Core
import Records

/// Decides what may leave the board, and with which accuracy. In doubt it is withheld.
public struct PrivacyFilter: Sendable {
  private let areas: [PrivateArea]
  private let hours: DailyHours?
  private let zone: TimeZoneRules
  private let pauses: [UplinkPause]
  private let rounding: PositionRounding?
  private let visitor: Visitor

  /// - Parameters:
  ///   - zone: the time zone of the hours.
  ///   - pauses: times whose records are not sent.
  ///   - visitor: the person that the board belongs to.
  public init(
    _ settings: PrivacySettings, areas: [PrivateArea], zone: TimeZoneRules, pauses: [UplinkPause],
    visitor: Visitor = Visitor(Visitor.keeper)
  ) {
    self.visitor = visitor
    self.areas = areas
    self.zone = zone
    self.pauses = pauses
    hours = settings.hours
    rounding = settings.cell > 0 ? PositionRounding(cell: settings.cell) : nil
  }

  /// Nothing is private.
  public static let none = PrivacyFilter(PrivacySettings(), areas: [], zone: .utc, pauses: [])

  /// Whether released positions are unchanged.
  public var isExact: Bool { rounding == nil }

  /// Whether everything may leave unchanged.
  public var isTransparent: Bool { !guardsPositions && isAlwaysOpen }

  /// Whether records without a time may leave.
  public var isAlwaysOpen: Bool { pauses.isEmpty && hours == nil }

  /// Whether any rule concerns positions.
  private var guardsPositions: Bool { !areas.isEmpty || rounding != nil }

  /// The record as it may leave; nil: it is withheld.
  public func released(_ record: any StoredRecord) -> (any StoredRecord)? {
    switch record {
    case let point as TrackPoint: released(point)
    case let visit as Visit: released(visit)
    case let destination as Destination: released(destination)
    case let crossing as Crossing: released(crossing)
    case let notice as Notice: released(notice)
    case let session as GnssSession: (session.on.map(isOpen) ?? isAlwaysOpen) ? session : nil
    case let segment as PowerSegment: isOpen(at: segment.start) ? segment : nil
    // Places and alerts show where people live, and so do received networks; the texts of decisions
    // cannot be filtered.
    default:
      !guardsPositions && (record.lastChange.map(isOpen) ?? isAlwaysOpen) ? record : nil
    }
  }

  /// Whether records of that time may leave.
  public func isOpen(at time: UTCInstant) -> Bool {
    !pauses.contains { $0.contains(time) } && hours.map { $0.contains(time, in: zone) } ?? true
  }

  /// Whether records of that period may leave: a stay covers all of its time.
  func isOpen(from start: UTCInstant, to end: UTCInstant) -> Bool {
    guard isOpen(at: start), isOpen(at: end),
      !pauses.contains(where: { $0.start < end && start < $0.end })
    else { return false }
    guard hours != nil else { return true }
    guard end - start < .days(1) else { return false }
    return stride(from: 0, to: (end - start).value, by: Self.hoursStep.value)
      .allSatisfy { isOpen(at: start + Seconds($0)) }
  }

  /// No user sets shorter closed hours than this.
  private static let hoursStep: Seconds = 300

  /// Whether a position may leave.
  public func isOpen(_ position: Coordinate, within accuracy: Metres = 0) -> Bool {
    !areas.contains { $0.mayContain(position, within: accuracy) }
  }

  /// Whether a place may be shown to others: never one that the board's own person may not see.
  public func shows(_ place: Place) -> Bool {
    guard rounding == nil, visitor.sees(place), !isPrivate(place.id.description) else {
      return false
    }
    guard case .fixed(let position) = place.location else { return areas.isEmpty }
    return isOpen(position)
  }

  /// Nil: it is withheld.
  private func rounded(_ position: Coordinate, _ accuracy: Metres) -> (Coordinate, Metres)? {
    guard isOpen(position, within: accuracy) else { return nil }
    return rounding?.rounded(position, accuracy) ?? (position, accuracy)
  }

  // MARK: By kind

  private func released(_ point: TrackPoint) -> TrackPoint? {
    guard isOpen(at: point.location.time),
      let (position, accuracy) = rounded(point.location.position, point.location.accuracy)
    else { return nil }
    var point = point
    point.location.position = position
    point.location.accuracy = accuracy
    guard rounding != nil else { return point }
    // A profile of heights, speeds and turns reveals as much as a position.
    point.location.altitude = nil
    point.location.speed = nil
    point.location.track = nil
    return point
  }

  private func released(_ visit: Visit) -> Visit? {
    let arrival = visit.arrival.estimate
    guard isOpen(from: arrival, to: visit.departure?.estimate ?? arrival),
      let (position, accuracy) = rounded(visit.position, visit.accuracy)
    else { return nil }
    var visit = visit
    visit.position = position
    visit.accuracy = accuracy
    return visit
  }

  /// The times of its visits are unknown.
  private func released(_ destination: Destination) -> Destination? {
    guard isAlwaysOpen,
      let (position, radius) = rounded(destination.position, destination.radius)
    else { return nil }
    var destination = destination
    destination.position = position
    destination.radius = radius
    if !isExact { destination.label = nil }
    return destination
  }

  /// It names a place and gives the board's distance from its edge: neither can be rounded.
  private func released(_ crossing: Crossing) -> Crossing? {
    guard isExact, isOpen(at: crossing.time), !isPrivate(crossing.placeUUID),
      isOpen(crossing.position, within: crossing.accuracy)
    else { return nil }
    return crossing
  }

  /// Its sentence contains figures, which cannot be rounded.
  private func released(_ notice: Notice) -> Notice? {
    guard rounding == nil, notice.time.map(isOpen) ?? isAlwaysOpen,
      !(notice.placeUUID.map(isPrivate) ?? false)
    else { return nil }
    guard let position = notice.position else { return areas.isEmpty ? notice : nil }
    return isOpen(position, within: notice.accuracy ?? 0) ? notice : nil
  }

  private func isPrivate(_ uuid: String) -> Bool { areas.contains { $0.uuid == uuid } }
}
