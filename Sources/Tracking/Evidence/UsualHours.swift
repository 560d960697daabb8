import Notation
import Quantities
import Records

/// At which times of day each known place is usually left, learnt from the visits there.
///
/// The looks at rest are to find departures. Where these come at the same hours again and again,
/// the same number of looks finds them sooner when more of them fall into those hours and fewer
/// into the others: what is saved at night pays for the morning.
struct UsualHours: Sendable {
  /// So many places are remembered; the one that was left longest ago makes room.
  private static let maxPlaces = 16

  private var places: [PlaceHours] = []
  /// The visit that ended last, with its destination: it counts when the next one has ended, because
  /// it may prove to go on.
  private var latest: (visit: Visit, place: Int64)?

  /// A visit has ended, or the same one has once more.
  mutating func ended(_ visit: Visit, at place: Int64) {
    if let latest, latest.visit.id != visit.id { learn(latest.visit, at: latest.place) }
    latest = (visit, place)
  }

  private mutating func learn(_ visit: Visit, at id: Int64) {
    guard let departure = visit.departure?.estimate else { return }
    var place = PlaceHours(id: id)
    if let index = places.firstIndex(where: { $0.id == id }) { place = places.remove(at: index) }
    place.stayed(from: visit.arrival.estimate, to: departure)
    places.append(place)
    if places.count > Self.maxPlaces { places.removeFirst() }
  }

  /// What to make of a pause between two looks at a place: less than 1 where a departure is more
  /// likely than at other hours; 1 as long as too little is known.
  func stretch(at place: Int64, _ time: UTCInstant) -> Double {
    places.first { $0.id == place }?.stretch(at: time) ?? 1
  }

  mutating func renumber(by shift: Renumbering) {
    for index in places.indices { places[index].id += shift.destinations }
    latest = latest.map {
      var visit = $0.visit
      visit.id += shift.visits
      return (visit, $0.place + shift.destinations)
    }
  }
}

/// The times of day at which one place was occupied and left.
///
/// Times of day are in UTC, because the board knows no other: a change of summer time is unlearnt
/// like every other habit.
private struct PlaceHours: Sendable {
  private static let bins = 48
  private static let bin = Seconds.days(1) / Double(bins)
  /// What is left of a day's weight on the next day: half after three weeks.
  private static let kept = 0.97
  /// Nothing is left after so many.
  private static let maxAge = 365
  /// Departures on so many days, the older ones counting less, make a habit.
  private static let required = 3.5
  /// As if it had been occupied for so many days at each hour, and left as often as at all others.
  private static let assumed = 2.0
  /// Bounds of the pause, as a share of the usual one.
  private static let shortest = 0.6
  private static let longest = 1.25
  /// Of stays that last longer the end counts.
  private static let maxStay = Seconds.days(7)

  var id: Int64
  /// Departures, each of which weighs less with every day.
  private var departures = [Double](repeating: 0, count: bins)
  /// Days on which it was occupied at that time, likewise.
  private var presence = [Double](repeating: 0, count: bins)
  /// Days on which it was left, likewise.
  private var days = 0.0
  /// The last of them, since 1970.
  private var lastDay = 0

  init(id: Int64) { self.id = id }

  mutating func stayed(from arrival: UTCInstant, to departure: UTCInstant) {
    let day = Self.day(departure)
    fade(to: day)
    // When exactly, nobody saw; and nobody is as exact.
    let left = Self.bin(departure)
    departures[left] += 0.5
    for neighbour in [left + 1, left + Self.bins - 1] { departures[neighbour % Self.bins] += 0.25 }
    var time = max(arrival, departure - Self.maxStay)
    while time < departure {
      let bin = Self.bin(time)
      let spent = min(Self.left(ofBinAt: time), departure - time)
      presence[bin] += spent / Self.bin
      time = time + max(spent, 1)
    }
  }

  private mutating func fade(to day: Int) {
    guard day > lastDay else { return }
    let weight = (0..<min(day - lastDay, Self.maxAge)).reduce(1.0) { all, _ in all * Self.kept }
    departures = departures.map { $0 * weight }
    presence = presence.map { $0 * weight }
    days = days * weight + 1
    lastDay = day
  }

  /// Pauses as the square root of what is expected between them, inversely, lose the least time
  /// for a given number of looks.
  func stretch(at time: UTCInstant) -> Double {
    guard days >= Self.required else { return 1 }
    let total = departures.reduce(0, +)
    let occupied = presence.reduce(0, +)
    guard total > 0, occupied > 0 else { return 1 }
    let usual = total / occupied
    let wishes = (0..<Self.bins).map { bin in
      let rate = (departures[bin] + Self.assumed * usual) / (presence[bin] + Self.assumed)
      return (usual / rate).squareRoot()
    }
    // As many looks in all as without.
    var scale = 1.0
    for _ in 0..<4 {
      let looks = (0..<Self.bins).reduce(0) { $0 + presence[$1] / Self.bounded(wishes[$1] * scale) }
      scale *= looks / occupied
    }
    return Self.bounded(wishes[Self.bin(time)] * scale)
  }

  private static func bounded(_ factor: Double) -> Double { min(max(factor, shortest), longest) }

  private static func day(_ time: UTCInstant) -> Int {
    Int((time.seconds / Seconds.days(1).value).rounded(.down))
  }

  private static func timeOfDay(_ time: UTCInstant) -> Seconds {
    Seconds(time.seconds - Double(day(time)) * Seconds.days(1).value)
  }

  private static func bin(_ time: UTCInstant) -> Int {
    min(Int(timeOfDay(time) / bin), bins - 1)
  }

  private static func left(ofBinAt time: UTCInstant) -> Seconds {
    bin * Double(Self.bin(time) + 1) - timeOfDay(time)
  }
}
