import Core
import Places

/// A place as a page for people.
struct PlacePage {
  private let place: Place
  /// Other places, for the names in relationships.
  private let others: [Place]
  private let device: (position: Coordinate, age: Seconds)?

  /// - Parameter device: the last position of the place's device.
  init(_ place: Place, among others: [Place], device: (position: Coordinate, age: Seconds)?) {
    self.place = place
    self.others = others
    self.device = device
  }

  var text: String {
    var page = TextPage(names: 12)
    for (name, parts) in lines { page.add(name, parts.map { $0.map(TerminalText.line) }) }
    return page.text
  }

  private typealias Line = (String, [String?])

  private var lines: [Line] { identity + audience + links + [("owner", [place.owner])] }

  private var identity: [Line] {
    [
      ("name", [place.name]), ("id", ["\(place.id), version \(place.version)"]),
      ("description", [place.description.isEmpty ? nil : place.description]),
      ("where", [position, ListedPlace.shape(of: place), lastReport, update]),
      ("exists", [moment("from", place.lifetime.from), moment("until", place.lifetime.until)]),
      ("schedule", [schedule]), ("now", [OpeningHours().words(place)]),
    ]
  }

  private var audience: [Line] {
    [
      ("visible to", [people]),
      ("tags", [place.tags.isEmpty ? nil : place.tags.joined(separator: ", ")]),
      ("followers", [followers]),
    ]
  }

  private var links: [Line] {
    let related: [Line] = place.relationships.map { ($0.kind, [name(of: $0.target)]) }
    let contents: [Line] = place.contents.map {
      (
        "content",
        [
          $0.title, $0.type.isEmpty ? nil : $0.type, $0.happening?.words, $0.mediaType, $0.uri,
          $0.text,
        ]
      )
    }
    let beacons: [Line] = place.beacons.map { ("beacon", [$0.description]) }
    return related + beacons + contents
  }

  private var position: String? {
    let fixed: Coordinate? = if case .fixed(let spot) = place.location { spot } else { nil }
    guard let position = fixed ?? device?.position else { return nil }
    let digits = { FixedDecimal.text($0, digits: 6) }
    return "\(digits(position.latitude.value)), \(digits(position.longitude.value))"
  }

  /// The last report of the device that the place moves with.
  private var lastReport: String? {
    guard case .following = place.location else { return nil }
    return device.map { "last reported \($0.age.inWords) ago" } ?? "whose position is unknown here"
  }

  /// When a place that follows a device is moved.
  private var update: String? {
    guard case .following(let device) = place.location else { return nil }
    switch device.update {
    case .interval(let time): return "moved every \(time.inWords)"
    case .distance(let distance): return "moved when \(distance.inWords) away or more"
    }
  }

  /// A schedule of several lines is joined into one.
  private var schedule: String? {
    place.schedule?.iCalendar.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func moment(_ word: String, _ instant: UTCInstant?) -> String? {
    instant.map { "\(word) \(LocalTime.text($0))" }
  }

  private var people: String? {
    guard case .only(let people, let groups) = place.visibility else { return nil }
    return (people + groups.map { "group \($0)" }).joined(separator: ", ")
  }

  private var followers: String? {
    let inferred = place.followers.isInferredFromVisits ? ["frequent visitors"] : []
    let all = place.followers.names + inferred
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  private func name(of id: PlaceID) -> String {
    others.first { $0.id == id }.map { "\($0.name) (\(id))" } ?? "\(id), which is not in the store"
  }
}
