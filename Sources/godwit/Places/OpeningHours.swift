import Core
import Places
import Platform

/// Whether places are open now, by this board's date and time zones.
struct OpeningHours {
  private let zones = SystemTimeZones()
  private let date: UTCInstant

  init(at date: UTCInstant = BootClock.systemDate) { self.date = date }

  /// Why a schedule cannot be read (it then counts as always open); nil: it can be.
  func fault(of place: Place) -> String? { reading(of: place).fault }

  func isOpen(_ place: Place) -> Bool { reading(of: place).opening.isOpen(at: date) }

  /// "open until 2026-11-25 18:00:00", "closed until 2026-11-26 09:00:00", "closed for good"; nil
  /// for a place without a schedule and a lifetime.
  func words(_ place: Place) -> String? {
    guard place.schedule != nil || place.lifetime != PlaceLifetime() else { return nil }
    let (opening, fault) = reading(of: place)
    if let fault { return fault }
    let next = opening.nextChange(after: date).map { "until \(LocalTime.text($0))" }
    return opening.isOpen(at: date)
      ? "open \(next ?? "from now on")" : "closed \(next ?? "permanently")"
  }

  private func reading(of place: Place) -> (opening: PlaceOpening, fault: String?) {
    do {
      return (try PlaceOpening(of: place, local: zones.local, zones: zones.zone), nil)
    } catch {
      return (PlaceOpening(place.lifetime), "its schedule \(error); it counts as always open")
    }
  }
}
