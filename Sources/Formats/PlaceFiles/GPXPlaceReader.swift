import Core
import Places

/// Places from the waypoints of GPX 1.0 and 1.1. Tracks and routes are not places.
///
/// A radius and everything else beyond GPX is in extensions: under the model's names, as
/// `GPXPlaceWriter` and GDAL write them, or as Garmin's Proximity and Categories
/// (GpxExtensionsv3.xsd).
struct GPXPlaceReader: XMLPlaceReader {
  static let noun = "waypoint"

  let defaults: PlaceFileDefaults
  var scanner = XMLItemScanner(root: "gpx", item: "wpt", others: ["trk", "rte"])
  var count = 0

  init(_ defaults: PlaceFileDefaults) { self.defaults = defaults }

  var causeOfNothing: String {
    let ways = [("trk", "track"), ("rte", "route")].compactMap { element, noun in
      scanner.counts[element].map { Counted.text($0, noun) }
    }
    return ways.isEmpty
      ? "it has no waypoint"
      : "it has \(ways.joined(separator: " and ")), which are not places: a place is a waypoint"
  }

  // MARK: One waypoint

  static func draft(of item: XMLItemScanner.Item) -> PlaceDraft {
    var parts = WaypointParts()
    for child in item.element.children { parts.take(child) }
    var draft = PlaceDraft()
    draft.properties = parts.properties()
    let latitude = item.element["lat"].flatMap { DecimalNumber.parse($0) }
    let longitude = item.element["lon"].flatMap { DecimalNumber.parse($0) }
    if let fault = item.fault {
      draft.fault = PlaceError(.malformed, at: "", fault)
    } else if let latitude, let longitude {
      draft.shape = .point(Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude)))
    } else {
      let given = ["lat", "lon"].compactMap { name in
        item.element[name].map { "\(name)=\(Quoted.text($0))" }
      }
      draft.fault =
        given.isEmpty
        ? PlaceError(.missing, at: "wpt", "it has no lat and lon")
        : PlaceError(
          .malformed, at: "wpt",
          "lat and lon must be numbers of degrees: it has \(given.joined(separator: " "))")
    }
    return draft
  }

  /// The children of a waypoint, which may be in any order.
  private struct WaypointParts {
    private var known = PlaceProperties()
    private var description = ""
    private var comment = ""
    private var tags: [String] = []
    private var links: [JSONValue] = []

    mutating func take(_ child: XMLElement) {
      let text = child.text.trimmed
      switch child.name {
      case "name": known.add("name", .string(text))
      case "desc": description = child.text
      case "cmt": comment = child.text
      case "type": add([text])
      case "keywords": add(text.split(separator: ",").map { $0.trimmed })
      case "link": add(link: child["href"], child.child("type")?.text, child.child("text")?.text)
      case "url": add(link: text, nil, nil)
      case "extensions": for part in child.children { takeExtension(part) }
      default: known.add(child.name, .string(text))
      }
    }

    private mutating func takeExtension(_ element: XMLElement) {
      guard element.children.isEmpty else {
        for part in element.children { takeExtension(part) }
        return
      }
      if element.name == "Category" { return add([element.text.trimmed]) }
      if !element.text.trimmed.isEmpty { known.add(element.name, .string(element.text)) }
    }

    private mutating func add(_ words: [String]) {
      for word in words where !word.isEmpty && !tags.contains(word) {
        // The check of the place reports too many.
        if tags.count <= PlaceLimits.tags { tags.append(word) }
      }
    }

    private mutating func add(link uri: String?, _ type: String?, _ text: String?) {
      guard let uri = uri?.trimmed, !uri.isEmpty else { return }
      let words = text?.trimmed ?? ""
      let label: [(name: String, value: JSONValue)] =
        words.isEmpty ? [] : [("text", .string(words))]
      // The default type, which a browser opens.
      let type = type?.trimmed ?? ""
      links.append(
        .object(
          [("uri", .string(uri)), ("media_type", .string(type.isEmpty ? "text/html" : type))]
            + label))
    }

    /// The elements of GPX, and the extensions, which take precedence.
    func properties() -> PlaceProperties {
      var all = known
      let texts = [description, comment].filter { !$0.trimmed.isEmpty }
      let isTwice = texts.count == 2 && texts[0] == texts[1]
      all.add(
        "description", .string(texts.prefix(isTwice ? 1 : 2).joined(separator: "\n\n")))
      if !all.has("tags"), !tags.isEmpty { all.add("tags", .array(tags.map { .string($0) })) }
      if !all.has("contents"), !links.isEmpty { all.add("contents", .array(links)) }
      return all
    }
  }
}
