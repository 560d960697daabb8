import Core
import Records

/// The state of places and alerts for the next run, as JSON. Damaged parts are dropped, the rest is
/// used.
struct AlertMemory: Hashable, Sendable {
  var zones: [PlaceZone: PlacePresence.State] = [:]
  var stays: [DwellWatch.Stay] = []
  var deadlines: [DeadlineWatch.Record] = []
  var guards: [Int64: GuardWatch.Record] = [:]
  var raised: [AlertGate.Key: UTCInstant] = [:]
  var over: Set<Int64> = []
  /// The last state of the ignition; nil: unknown.
  var isIgnitionOn: Bool?

  /// A longer list is damaged.
  private static let most = 2000

  init() {}

  init(_ text: String) {
    guard let json = try? JSONValue(parsing: text) else { return }
    func list(_ name: String) -> [JSONValue] { (json[name]?.array ?? []).prefix(Self.most) + [] }
    for one in list("zones") {
      guard let id = Self.place(one), let state = Self.states[one["state"]?.string ?? ""]
      else { continue }
      let margin = Metres(one["margin_m"]?.number ?? 0)
      guard margin == 0 || AlertLimits.distance.contains(margin) else { continue }
      zones[PlaceZone(id, margin: margin)] = state
    }
    for one in list("stays") {
      guard let alert = Self.alert(one), let place = Self.place(one),
        let since = Self.date(one, "since")
      else { continue }
      stays.append(
        DwellWatch.Stay(
          alert: alert, place: place, since: since, isReported: one["told"]?.bool ?? false))
    }
    for one in list("deadlines") {
      guard let alert = Self.alert(one), let handled = Self.date(one, "handled") else { continue }
      deadlines.append(
        DeadlineWatch.Record(
          alert: alert, handled: handled, hasLeft: one["has_left"]?.bool ?? false))
    }
    for one in list("guards") {
      guard let alert = Self.alert(one), let centre = Self.position(one["centre"]) else { continue }
      guards[alert] = GuardWatch.Record(
        centre: centre, reportedPosition: Self.position(one["told"]))
    }
    for one in list("raised") {
      guard let alert = Self.alert(one), let at = Self.date(one, "at") else { continue }
      raised[AlertGate.Key(alert: alert, place: Self.place(one))] = at
    }
    over = Set(list("over").compactMap { $0.integer.map { Int64($0) } })
    isIgnitionOn = json["ignition"]?.bool
  }

  var text: String {
    var members: [(name: String, value: JSONValue)] = []
    func add(_ name: String, _ list: [JSONValue]) {
      if !list.isEmpty { members.append((name, .array(list))) }
    }
    add(
      "zones",
      zones.sorted { $0.key < $1.key }.compactMap { zone, state in
        guard let word = Self.states.first(where: { $0.value == state })?.key else { return nil }
        var one: [(String, JSONValue)] = [
          ("place", .string(zone.place.description)), ("state", .string(word)),
        ]
        if zone.margin > 0 { one.append(("margin_m", .number(zone.margin.value))) }
        return .object(one.map { (name: $0.0, value: $0.1) })
      })
    add(
      "stays",
      stays.map { stay in
        .object([
          ("alert", Self.json(stay.alert)), ("place", .string(stay.place.description)),
          ("since", Self.json(stay.since)), ("told", .bool(stay.isReported)),
        ])
      })
    add(
      "deadlines",
      deadlines.sorted { $0.alert < $1.alert }.map { record in
        .object([
          ("alert", Self.json(record.alert)), ("handled", Self.json(record.handled)),
          ("has_left", .bool(record.hasLeft)),
        ])
      })
    add(
      "guards",
      guards.sorted { $0.key < $1.key }.map { alert, record in
        .object([
          ("alert", Self.json(alert)), ("centre", Self.json(record.centre)),
          ("told", record.reportedPosition.map(Self.json) ?? .null),
        ])
      })
    add(
      "raised",
      raised.sorted { $0.key < $1.key }.map { key, at in
        .object([
          ("alert", Self.json(key.alert)),
          ("place", key.place.map { .string($0.description) } ?? .null), ("at", Self.json(at)),
        ])
      })
    add("over", over.sorted().map(Self.json))
    if let isIgnitionOn { members.append(("ignition", .bool(isIgnitionOn))) }
    return JSONValue.object(members).text
  }

  private static let states: [String: PlacePresence.State] = [
    "inside": .inside, "outside": .outside,
  ]

  private static func alert(_ json: JSONValue) -> Int64? {
    json["alert"]?.integer.flatMap { (0...Int(RecordIdentifier.highest)) ~= $0 ? Int64($0) : nil }
  }

  private static func place(_ json: JSONValue) -> PlaceID? {
    json["place"]?.string.flatMap { PlaceID($0) }
  }

  private static func date(_ json: JSONValue, _ name: String) -> UTCInstant? {
    json[name]?.string.flatMap { ISO8601.parse($0) }
  }

  private static func position(_ json: JSONValue?) -> Coordinate? {
    guard let pair = json?.array, pair.count == 2, let latitude = pair[0].number,
      let longitude = pair[1].number
    else { return nil }
    return Coordinate(checkedLatitude: latitude, longitude: longitude)
  }

  private static func json(_ number: Int64) -> JSONValue { .number(Double(number)) }
  private static func json(_ date: UTCInstant) -> JSONValue { .string(ISO8601.text(date)) }
  private static func json(_ position: Coordinate) -> JSONValue {
    .array([.number(position.latitude.value), .number(position.longitude.value)])
  }
}
