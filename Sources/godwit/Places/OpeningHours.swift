import Notation
import Places
import Platform
import Quantities

/// Whether places are open now, by this board's date and time zones.
struct OpeningHours {
  private let zones = SystemTimeZones()
  private let date: UTCInstant

  init(at date: UTCInstant = BootClock.systemDate) { self.date = date }

  /// Why a schedule cannot be read, which then counts as always open; nil: it can be.
  func fault(of place: Place) -> String? {
    do {
      _ = try PlaceOpening(of: place, local: zones.local, zones: zones.zone)
      return nil
    } catch {
      return "its schedule \(error); it counts as always open"
    }
  }

  func isOpen(_ place: Place) -> Bool { opening(of: place).isOpen(at: date) }

  /// "open until 2026-11-25 18:00:00", "closed until 2026-11-26 09:00:00", "closed for good"; nil
  /// for a place that says nothing of when.
  func words(_ place: Place) -> String? {
    guard place.schedule != nil || place.lifetime != PlaceLifetime() else { return nil }
    if let fault = fault(of: place) { return fault }
    let opening = opening(of: place)
    let next = opening.nextChange(after: date).map { "until \(LocalTime.text($0))" }
    return opening.isOpen(at: date)
      ? "open \(next ?? "from now on")" : "closed \(next ?? "for good")"
  }

  private func opening(of place: Place) -> PlaceOpening {
    (try? PlaceOpening(of: place, local: zones.local, zones: zones.zone))
      ?? PlaceOpening(place.lifetime)
  }
}
