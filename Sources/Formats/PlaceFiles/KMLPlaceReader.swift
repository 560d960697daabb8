import Core
import Places

/// Places from the placemarks of KML 2.2, in any folders: points and polygons.
///
/// Name, description and time span are KML's own; everything else is in ExtendedData under the
/// model's names, as `KMLPlaceWriter` and GDAL write it. A description in CDATA is HTML, as map
/// programs write it, and is converted to text; any other is text already.
struct KMLPlaceReader: XMLPlaceReader {
  static let noun = "placemark"
  /// The appearance of a placemark, which is dropped without a notice.
  private static let styleElements: Set<String> = [
    "Style", "StyleMap", "styleUrl", "LookAt", "Camera", "Region", "visibility", "open", "Snippet",
    "snippet", "balloonVisibility",
  ]

  let defaults: PlaceFileDefaults
  var scanner = XMLItemScanner(root: "kml", item: "Placemark", others: ["NetworkLink"])
  var count = 0

  init(_ defaults: PlaceFileDefaults) { self.defaults = defaults }

  var causeOfNothing: String {
    guard scanner.counts["NetworkLink"] != nil else { return "it has no placemark" }
    let target = scanner.link.map { Quoted.text($0) } ?? "another file"
    return "it only links to \(target): export the map without \"keep data up to date\""
  }

  // MARK: One placemark

  static func draft(of item: XMLItemScanner.Item) -> PlaceDraft {
    var draft = PlaceDraft()
    var shapes = KMLShapes()
    var span: [(name: String, text: String)] = []
    for child in item.element.children {
      switch child.name {
      case "name": draft.properties.add("name", .string(child.text.trimmed))
      case "description":
        draft.properties.add("description", .string(description(child)))
      case "TimeSpan":
        span.append(("valid_from", child.child("begin")?.text.trimmed ?? ""))
        span.append(("valid_until", child.child("end")?.text.trimmed ?? ""))
      case "ExtendedData": read(child, into: &draft.properties)
      case "Point", "Polygon", "MultiGeometry", "LineString", "LinearRing", "Track", "MultiTrack",
        "Model":
        shapes.take(child)
      case let name where styleElements.contains(name): break
      case let name: draft.properties.add(name, .string(child.text.trimmed))
      }
    }
    for (name, text) in span where !draft.properties.has(name) {
      draft.properties.add(name, .string(text))
    }
    // The id of an element is seldom an id of a place; a UUID is.
    draft.id = item.element["id"].flatMap { PlaceID($0) }
    do throws(PlaceError) {
      if let fault = item.fault { throw PlaceError(.malformed, at: "", fault) }
      try shapes.apply(&draft)
    } catch { draft.fault = error }
    return draft
  }

  private static func description(_ element: XMLElement) -> String {
    element.isLiteral ? HTMLText.plain(element.text) : element.text
  }

  /// `Data` has its value in an element, `SchemaData` in elements described by a schema.
  private static func read(_ data: XMLElement, into properties: inout PlaceProperties) {
    for child in data.children {
      switch child.name {
      case "Data": add(child, child.child("value")?.text, to: &properties)
      case "SchemaData":
        for field in child.children {
          switch field.name {
          case "SimpleData": add(field, field.text, to: &properties)
          case "SimpleArrayData":
            let items = field.children.map { JSONValue.string($0.text.trimmed) }
            if let name = field["name"] { properties.add(name, .array(items)) }
          default: break
          }
        }
      default: break
      }
    }
  }

  private static func add(
    _ element: XMLElement, _ text: String?, to properties: inout PlaceProperties
  ) {
    guard let name = element["name"], let text, !text.trimmed.isEmpty else { return }
    // The element of that name is the visible one.
    if !["name", "description"].contains(name.lowercased()) || !properties.has(name) {
      properties.add(name, .string(text))
    }
  }
}
