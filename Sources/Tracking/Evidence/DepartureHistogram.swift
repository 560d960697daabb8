import Core
import Records

/// At which times of day each known place is usually left, learnt from the visits there.
///
/// The looks at rest are to find departures. Where these come at the same hours again and again,
/// the same number of looks finds them sooner when more of them fall into those hours and fewer
/// into the others: what is saved at night pays for the morning.
struct DepartureHistogram: Sendable {
  /// So many places are remembered; the one that was left on the fewest days makes room.
  private static let maxPlaces = 8

  private var places: [PlaceHours] = []
  /// The stay that ended last: it counts when the next one has ended, because it may go on.
  fileprivate var latest: EndedStay?

  fileprivate struct EndedStay: Sendable {
    var visit: Int64
    var place: Int64
    var arrival: UTCInstant
    var departure: UTCInstant
  }

  /// A visit has ended, or the same one has once more.
  mutating func ended(_ visit: Visit, at place: Int64) {
    if let latest, latest.visit != visit.id { learn(latest) }
    latest = visit.departure.map {
      EndedStay(
        visit: visit.id, place: place, arrival: visit.arrival.estimate, departure: $0.estimate)
    }
  }

  private mutating func learn(_ stay: EndedStay) {
    if let index = places.firstIndex(where: { $0.id == stay.place }) {
      return places[index].stayed(from: stay.arrival, to: stay.departure)
    }
    if places.count >= Self.maxPlaces,
      let rarest = places.indices.min(by: {
        places[$0].daysLeft(at: stay.departure) < places[$1].daysLeft(at: stay.departure)
      })
    {
      places.remove(at: rarest)
    }
    var place = PlaceHours()
    place.id = stay.place
    place.stayed(from: stay.arrival, to: stay.departure)
    places.append(place)
  }

  /// By what to multiply a pause between two looks at a place: less than 1 where a departure is
  /// likelier than at other hours; 1 as long as too little is known.
  func stretch(at place: Int64, _ time: UTCInstant) -> Double {
    places.first { $0.id == place }?.stretch(at: time) ?? 1
  }

  mutating func renumber(by shift: Renumbering) {
    for index in places.indices { places[index].id += shift.destinations }
    latest?.visit += shift.visits
    latest?.place += shift.destinations
  }
}

// MARK: Over a restart

extension DepartureHistogram {
  static let fields = SnapshotFields<DepartureHistogram>([
    .defaulted("places", \.places, placesCoding, []),
    .omittable("latest", \.latest, EndedStay.coding),
  ])

  /// Damaged ones are left out, and those that are too many.
  private static let placesCoding = SnapshotCoding<[PlaceHours]>(
    json: { .array($0.map(PlaceHours.coding.json)) },
    value: { json in
      (json?.array ?? []).compactMap(PlaceHours.coding.value).reduce(into: []) { places, place in
        guard places.count < maxPlaces, !places.contains(where: { $0.id == place.id }) else {
          return
        }
        places.append(place)
      }
    })
}

extension DepartureHistogram.EndedStay {
  fileprivate static let coding = SnapshotFields<Self>(
    [
      .required("visit", \.visit, .identifier), .required("place", \.place, .identifier),
      .required("arrival", \.arrival, .instant), .required("departure", \.departure, .instant),
    ], as: .list
  ).coding(
    onto: .init(
      visit: 0, place: 0, arrival: .init(nanoseconds: 0), departure: .init(nanoseconds: 0)))
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
  /// Who is away for some minutes only may be missed by a longer pause; a shorter one is safe.
  private static let shortest = 0.4
  private static let longest = 1.25
  /// Of stays that last longer the end counts.
  private static let maxStay = Seconds.days(7)

  /// Of the destination.
  var id: Int64 = 0
  /// Departures, each of which weighs less with every day.
  private var departures = [Double](repeating: 0, count: bins)
  /// Days on which it was occupied at that time, likewise.
  private var presence = [Double](repeating: 0, count: bins)
  /// Days on which it was left, likewise.
  private var days = 0.0
  /// The last of them, since 1970.
  private var lastDay = 0

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

  /// The weight of the days on which it was left, as it is on the day of `time`.
  func daysLeft(at time: UTCInstant) -> Double { days * weight(on: Self.day(time)) }

  /// What is known so far counts less, and one more day.
  private mutating func fade(to day: Int) {
    // An earlier day is of another date, and as good.
    guard day != lastDay else { return }
    let weight = weight(on: day)
    departures = departures.map { $0 * weight }
    presence = presence.map { $0 * weight }
    days = days * weight + 1
    lastDay = day
  }

  private func weight(on day: Int) -> Double {
    let age = min(max(day - lastDay, 0), Self.maxAge)
    return (0..<age).reduce(1.0) { weight, _ in weight * Self.kept }
  }

  /// Pauses as the square root of what is expected between them, inversely, lose the least time
  /// for a given number of looks.
  func stretch(at time: UTCInstant) -> Double {
    guard daysLeft(at: time) >= Self.required else { return 1 }
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

// MARK: Over a restart

extension PlaceHours {
  fileprivate static let coding = SnapshotFields<PlaceHours>(
    [
      .required("id", \.id, .identifier),
      .required("last_day", \.lastDay, .count(0...100_000)),
      .required("days", \.days, tenths),
      .required("left", \.departures, perBin), .required("present", \.presence, perBin),
    ], as: .list
  ).coding(onto: PlaceHours())

  /// A weight, short: it is written with every commit. More than a thousand is damage.
  private static let tenths = SnapshotCoding<Int>.count(0...10_000).mapped(
    to: { Double($0) / 10 }, from: { Int((min($0, 1000) * 10).rounded()) })

  /// Most are zero: as many of them in a row are one negative number.
  private static let perBin = SnapshotCoding<[Double]>(
    json: { weights in
      var values: [JSONValue] = []
      var zeros = 0
      for weight in weights + [.infinity] {
        if weight < 0.05 {
          zeros += 1
          continue
        }
        if zeros > 0 { values.append(.count(-zeros)) }
        zeros = 0
        if weight.isFinite { values.append(tenths.json(weight)) }
      }
      return .array(values)
    },
    value: { json in
      var weights: [Double] = []
      for value in (json?.array ?? []).prefix(bins) {
        if let zeros = value.integer, (-bins..<0).contains(zeros) {
          weights += Array(repeating: 0, count: -zeros)
        } else if let weight = tenths.value(value) {
          weights.append(weight)
        } else {
          return nil
        }
      }
      return weights.count == bins ? weights : nil
    })
}
