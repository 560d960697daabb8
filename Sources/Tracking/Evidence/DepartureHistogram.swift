import Core
import Records

/// The times of day at which each known place is usually left, learnt from the visits there.
///
/// Fix attempts at rest serve to detect departures. Where departures recur at the same hours, the
/// same number of attempts detects them sooner when more attempts fall into those hours: the energy
/// saved at night is used in the morning.
struct DepartureHistogram: Sendable {
  /// The number of places stored; the one left on the fewest days is replaced.
  private static let maxPlaces = 8

  private var places: [PlaceHours] = []
  /// The stay that ended last. It counts when the next one has ended, because it may be resumed.
  fileprivate var latest: EndedStay?

  fileprivate struct EndedStay: Sendable {
    var visit: Int64
    var place: Int64
    var arrival: UTCInstant
    var departure: UTCInstant
  }

  /// A visit has ended, or a resumed one has ended again.
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

  /// The factor for a pause between two fix attempts at a place: less than 1 where a departure is
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

  /// Damaged entries are dropped, and those beyond the limit.
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
/// Times of day are in UTC, because the board knows no other: a change to or from summer time is
/// unlearnt like every other habit.
private struct PlaceHours: Sendable {
  private static let bins = 48
  private static let bin = Seconds.days(1) / Double(bins)
  /// The daily decay of weights: half after three weeks.
  private static let kept = 0.97
  /// Days after which weights stop decaying: nothing is left.
  private static let maxAge = 365
  /// Departures on this many days, older ones counting less, make a habit.
  private static let required = 3.5
  /// A prior of this many days of presence at each hour, with departures at the average rate.
  private static let assumed = 2.0
  /// Bounds of the pause, as a share of the usual one. A longer pause may miss an absence of some
  /// minutes; a shorter one is safe.
  private static let shortest = 0.4
  private static let longest = 1.25
  /// Only this last part of a longer stay counts.
  private static let maxStay = Seconds.days(7)

  /// The destination's id.
  var id: Int64 = 0
  /// Departures, each decaying daily.
  private var departures = [Double](repeating: 0, count: bins)
  /// Days on which the place was occupied at that time, decaying likewise.
  private var presence = [Double](repeating: 0, count: bins)
  /// Days on which the place was left, decaying likewise.
  private var days = 0.0
  /// The last of them, in days since 1970.
  private var lastDay = 0

  mutating func stayed(from arrival: UTCInstant, to departure: UTCInstant) {
    let day = Self.day(departure)
    fade(to: day)
    // The moment was not observed exactly, and habits are not exact either.
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

  /// The decayed number of days on which the place was left, as of `time`.
  func daysLeft(at time: UTCInstant) -> Double { days * weight(on: Self.day(time)) }

  /// Applies the decay, and adds one day.
  private mutating func fade(to day: Int) {
    // An earlier day comes from a corrected date, and counts as well.
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

  /// Pauses in inverse proportion to the square root of the departure rate lose the least time for
  /// a given number of fix attempts.
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
    // Scaled to the same total number of attempts.
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

  /// Weights in tenths, to be short: they are written with every commit. More than a thousand means
  /// damage.
  private static let tenths = SnapshotCoding<Int>.count(0...10_000).mapped(
    to: { Double($0) / 10 }, from: { Int((min($0, 1000) * 10).rounded()) })

  /// Most weights are zero: a run of zeros is stored as one negative number.
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
