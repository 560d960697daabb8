import Core

/// A moment that was not observed: the best estimate, and the bounds that contain it. `earliest <=
/// estimate <= latest`.
public struct TimeEstimate: Hashable, Sendable {
  public var estimate: UTCInstant
  public var earliest: UTCInstant
  public var latest: UTCInstant

  public init(estimate: UTCInstant, earliest: UTCInstant, latest: UTCInstant) {
    self.estimate = estimate
    self.earliest = earliest
    self.latest = latest
  }

  public init(exactly instant: UTCInstant) {
    self.init(estimate: instant, earliest: instant, latest: instant)
  }
}

extension TimeEstimate {
  /// The distance between the bounds.
  public var width: Seconds { latest - earliest }

  /// Whether the estimate counts as known: there is no gap between the bounds.
  public var isKnown: Bool { width <= UnobservedPeriod.shortest }
}

/// A period in which the board was neither located nor known to be at rest.
public struct UnobservedPeriod: Hashable, Sendable {
  /// A longer period is a gap: three significant-change locations (Algorithm 1's SLU, 300 s) are
  /// missing.
  public static let shortest: Seconds = 900

  public var start: UTCInstant
  public var end: UTCInstant

  public init(start: UTCInstant, end: UTCInstant) {
    self.start = start
    self.end = end
  }

  public var duration: Seconds { end - start }
}

/// The longest unobserved periods of a board, in order of time.
public struct UnobservedPeriods: Hashable, Sendable {
  /// An hourly heartbeat leaves this many in two days; beyond that the shortest ones are left out.
  public static let most = 48

  public private(set) var all: [UnobservedPeriod] = []

  public init(_ times: [UnobservedPeriod] = []) { for time in times { add(time) } }

  public var longest: UnobservedPeriod? { all.max { $0.duration < $1.duration } }

  /// The parts of the periods after a moment.
  public func since(_ moment: UTCInstant) -> UnobservedPeriods {
    UnobservedPeriods(
      all.filter { $0.end > moment }
        .map { UnobservedPeriod(start: max($0.start, moment), end: $0.end) })
  }

  /// - Parameter time: it ends after all earlier ones.
  public mutating func add(_ time: UnobservedPeriod) {
    all.append(time)
    guard all.count > Self.most,
      let shortest = all.indices.min(by: { all[$0].duration < all[$1].duration })
    else { return }
    all.remove(at: shortest)
  }

  /// `600/4200.25 7800/11400`: seconds after a moment, with the resolution of locations.
  func text(after moment: UTCInstant) -> String? {
    let words = all.map { time in
      "\(Self.seconds(from: moment, to: time.start))/\(Self.seconds(from: moment, to: time.end))"
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func seconds(from moment: UTCInstant, to time: UTCInstant) -> String {
    let milliseconds = ((time - moment).value * 1000).rounded()
    guard milliseconds.truncatingRemainder(dividingBy: 1000) == 0 else {
      return "\(milliseconds / 1000)"
    }
    return "\(Int64(milliseconds / 1000))"
  }

  /// - Returns: nil if the text is malformed.
  init?(_ text: String, after moment: UTCInstant) {
    for word in text.split(separator: " ") {
      let ends = word.split(separator: "/").compactMap { end in
        Double(end).flatMap { $0.magnitude < Double(Int32.max) ? $0 : nil }
      }
      guard ends.count == 2, ends[0] < ends[1], all.count < Self.most else { return nil }
      all.append(
        UnobservedPeriod(
          start: moment + Seconds(ends[0]), end: moment + Seconds(ends[1])))
    }
  }
}

/// A stay of the board at a place.
public struct Visit: Hashable, Sendable {
  /// Unique in one store, rising.
  public var id: Int64
  public var arrival: TimeEstimate
  /// Nil while the board is still there.
  public var departure: TimeEstimate?
  /// Where the board stayed.
  public var position: Coordinate
  /// The radius around `position` that contains the true place in two of three cases.
  public var accuracy: Metres
  /// 0...1: the confidence that this was a stay.
  public var confidence: Double
  /// The number of supporting locations.
  public var locations: Int
  /// When the board was last located there, or known to be at rest; nil in records of older
  /// versions.
  public var lastSeen: UTCInstant?
  /// The part of the stay for which the presence of the board is unknown, in gaps of more than 15
  /// minutes.
  public var unobserved: Seconds = 0
  public var gaps = UnobservedPeriods()
  /// Whether only coarse sources located the board there; nil in records of older versions.
  public var isCoarse: Bool?
  public var destination: Int64?

  public init(
    id: Int64, arrival: TimeEstimate, departure: TimeEstimate? = nil, position: Coordinate,
    accuracy: Metres, confidence: Double, locations: Int, destination: Int64? = nil
  ) {
    self.id = id
    self.arrival = arrival
    self.departure = departure
    self.position = position
    self.accuracy = accuracy
    self.confidence = confidence
    self.locations = locations
    self.destination = destination
  }

  /// The longest gap between two locations.
  public var gap: UnobservedPeriod? { gaps.longest }

  /// The estimated length of the stay.
  /// - Parameter now: the end of a visit that is still open.
  public func duration(until now: UTCInstant) -> Seconds {
    max(0, (departure?.estimate ?? now) - arrival.estimate)
  }
}

extension Visit: StoredRecord {
  public static let table = RecordTable<Self>(
    "visits", "Where the board stayed", key: .given { $0.id },
    newest: "coalesce(departure, arrival)",
    columns: [
      .position(
        "Where the board stayed: from its locations there, the last one in motion before the stay, "
          + "the first one after it, and the other visits of its destination."
      ) { $0.position },
      .time("arrival", "Best estimate of when the board came to its place of rest.") {
        $0.arrival.estimate
      },
      .time(
        "arrival_earliest",
        "Earliest possible arrival: it was still in motion, or elsewhere. If this is the time of "
          + "the first record of all, it may have arrived before."
      ) { $0.arrival.earliest },
      .time("arrival_latest", "Latest possible arrival: it was known to rest there.") {
        $0.arrival.latest
      },
      .optionalTime(
        "departure", "Best estimate of when the board set off; empty while it is there."
      ) { $0.departure?.estimate },
      .optionalTime(
        "departure_earliest", "Earliest possible departure: it was still known to rest there."
      ) { $0.departure?.earliest },
      .optionalTime(
        "departure_latest", "Latest possible departure: it was in motion, or elsewhere."
      ) { $0.departure?.latest },
      .quantity(
        "accuracy_m",
        "Radius around the position that contains the true place in two of three cases."
      ) { $0.accuracy },
      .ratio(
        "confidence",
        "Confidence that this was a stay and that the board stayed there all the time, from 0 to 1."
      ) { $0.confidence },
      .count("locations", "Number of locations that support it.") { $0.locations },
      .optionalInteger("destination_id", "Destination that was visited.") { $0.destination },
      .optionalTime("last_seen", "Last time at which it was located there, or known to rest.") {
        $0.lastSeen
      }.added(in: Record.gaps),
      .optionalQuantity(
        "unwatched_s",
        "Time in which it is unknown whether it was there: the gaps of more than 15 minutes in "
          + "which it was not known to rest, either."
      ) { $0.unobserved }.added(in: Record.gaps),
      .optionalTime(
        "gap_start", "Start of the longest gap, a time of over 15 minutes without a location."
      ) { $0.gap?.start }.added(in: Record.gaps),
      .optionalTime("gap_end", "End of that gap.") { $0.gap?.end }.added(in: Record.gaps),
      .optionalText(
        "gaps_s",
        "The \(UnobservedPeriods.most) longest gaps in chronological order: begin and end in "
          + "seconds after the arrival, as in `600/4200 7800/11400`."
      ) { $0.gaps.text(after: $0.arrival.estimate) }.added(in: Record.allGaps),
      .optionalFlag(
        "is_coarse",
        "1: only coarse sources have located it there; empty in rows of older versions."
      ) { $0.isCoarse }.added(in: Record.allGaps),
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    let arrival = TimeEstimate(
      estimate: try row.time("arrival"), earliest: try row.time("arrival_earliest"),
      latest: try row.time("arrival_latest"))
    let departure = try row.optionalTime("departure").map {
      (time: UTCInstant) throws(DamagedColumn) in
      TimeEstimate(
        estimate: time, earliest: try row.optionalTime("departure_earliest") ?? time,
        latest: try row.optionalTime("departure_latest") ?? time)
    }
    self.init(
      id: try row.identifier(), arrival: arrival, departure: departure,
      position: try row.position("geom"),
      accuracy: try row.quantity("accuracy_m"), confidence: try row.real("confidence"),
      locations: try row.count("locations"), destination: try row.optionalInteger("destination_id"))
    lastSeen = try row.optionalTime("last_seen")
    unobserved = try row.optionalQuantity("unwatched_s") ?? 0
    isCoarse = try row.optionalFlag("is_coarse")
    if let text = try row.optionalText("gaps_s") {
      gaps = UnobservedPeriods(text, after: arrival.estimate) ?? UnobservedPeriods()
    } else if let start = try row.optionalTime("gap_start"),
      let end = try row.optionalTime("gap_end"),
      start < end
    {
      gaps = UnobservedPeriods([UnobservedPeriod(start: start, end: end)])
    }
  }

  public var record: Record { .visit(self) }
  public var lastChange: UTCInstant? { departure?.estimate ?? arrival.estimate }
  /// An open visit is stored again soon.
  public var isUrgent: Bool { departure != nil }

  public func renumbered(by shift: Renumbering) -> Visit {
    var visit = self
    visit.id += shift.visits
    visit.destination = destination.map { $0 + shift.destinations }
    return visit
  }
}
