import Places
import Ports
import Core

/// When there is any of the places that an alert is about.
struct AlertHorizon: Sendable {
  /// So many times are looked through for one at which it is both on and somewhere.
  private static let mostLooks = 100

  /// Empty: there is no place that is not always there, or nobody asks.
  private let openings: [PlaceOpening]

  static let ever = AlertHorizon([])

  init(_ openings: [PlaceOpening]) { self.openings = openings }

  /// - Parameter places: all that there are.
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

  /// Whether there is a place at any time.
  var isEver: Bool { openings.isEmpty }

  func isOpen(at date: UTCInstant) -> Bool {
    isEver || openings.contains { $0.isOpen(at: date) }
  }

  /// When the first that is open now closes, if no other one is open; nil: nobody knows, or never.
  func end(after date: UTCInstant) -> UTCInstant? {
    let open = openings.filter { $0.isOpen(at: date) }
    guard open.count == 1, let end = open[0].nextChange(after: date), !isOpen(at: end) else {
      return nil
    }
    return end
  }

  /// From when on it is on, and a place is there; nil: never.
  /// - Parameter schedule: nil: it is on all the time.
  func next(after date: UTCInstant, _ schedule: Schedule?, isDeadline: Bool) -> UTCInstant? {
    var date = date
    for _ in 0..<Self.mostLooks {
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
    // As far as it was looked.
    return date
  }
}
