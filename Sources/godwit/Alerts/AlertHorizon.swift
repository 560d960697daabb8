import Places
import Ports
import Core

/// The times at which any place of an alert exists and is open.
struct AlertHorizon: Sendable {
  /// The maximum number of steps in the search for a time when the alert is on and a place open.
  private static let maxTries = 100

  /// Empty: some place is always there, or the alert is not about presence.
  private let openings: [PlaceOpening]

  static let ever = AlertHorizon([])

  init(_ openings: [PlaceOpening]) { self.openings = openings }

  /// - Parameter places: all places of the store.
  init(of alert: Alert, among places: [Place], _ zones: any TimeZonePort) {
    guard let selection = alert.rule.places, alert.rule.isAboutPresence else {
      self = .ever
      return
    }
    var openings: [PlaceOpening] = []
    for place in places where selection.contains(place) {
      let isPermanent = place.schedule == nil && place.lifetime == PlaceLifetime()
      let opening =
        isPermanent
        ? nil : try? PlaceOpening(of: place, local: zones.local, zones: zones.zone)
      // One whose schedule cannot be read counts as always open.
      guard let opening else {
        self = .ever
        return
      }
      openings.append(opening)
    }
    self.init(openings)
  }

  /// Whether there is a place at all times.
  var isEver: Bool { openings.isEmpty }

  func isOpen(at date: UTCInstant) -> Bool {
    isEver || openings.contains { $0.isOpen(at: date) }
  }

  /// When the only open place closes; nil: unknown, or never.
  func end(after date: UTCInstant) -> UTCInstant? {
    let open = openings.filter { $0.isOpen(at: date) }
    guard open.count == 1, let end = open[0].nextChange(after: date), !isOpen(at: end) else {
      return nil
    }
    return end
  }

  /// When the alert is next on while a place is open; nil: never.
  /// - Parameter schedule: nil: it is on all the time.
  func next(after date: UTCInstant, _ schedule: Schedule?, isDeadline: Bool) -> UTCInstant? {
    var date = date
    for _ in 0..<Self.maxTries {
      if let schedule, isDeadline || !schedule.isOn(at: date) {
        guard let next = schedule.next(after: date)?.begin else { return nil }
        date = next
      }
      if isOpen(at: date) { return date }
      guard let opens = openings.compactMap({ $0.nextChange(after: date) }).min() else {
        return nil
      }
      date = opens
    }
    // The search limit is reached.
    return date
  }
}
