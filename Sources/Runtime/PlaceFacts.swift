import Places
import Ports

/// The facts of a place for the user's command, besides the event itself: the content to be shown,
/// and related places.
struct PlaceFacts {
  /// The maximum number of related places.
  private static let mostRelated = 16
  private static let longestKind = 32

  private let place: Place
  /// The chosen content, or else the first without a time: whether one with a time is over is not
  /// known here.
  private let content: (text: String?, uri: String?, title: String?)

  /// - Parameter shown: the id of the chosen content; nil: none was chosen.
  init(_ place: Place, shown: String? = nil) {
    self.place = place
    let chosen = shown.flatMap { id in place.contents.first { $0.id?.description == id } }
    let lasting = place.contents.lazy.filter { $0.happening == nil }
    content = (
      chosen.map(\.text) ?? lasting.compactMap(\.text).first,
      chosen.map(\.uri) ?? lasting.compactMap(\.uri).first, chosen?.item?.title
    )
  }

  /// - Parameter name: returns the name of another place; nil: it does not exist.
  func list(name: (PlaceID) -> String?) -> [NoticeCommandInput.Fact] {
    var facts: [NoticeCommandInput.Fact] = []
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { facts.append(.init(name, text)) }
    }
    add("PLACE_DESCRIPTION", place.description)
    add("PLACE_TAGS", place.tags.joined(separator: ","))
    add("CONTENT_TITLE", content.title)
    add("CONTENT_TEXT", content.text)
    add("CONTENT_URI", content.uri)
    for (kind, names) in related(name) { add("RELATED_\(kind)", names.joined(separator: ", ")) }
    return facts
  }

  /// By kind, in the place's order.
  private func related(_ name: (PlaceID) -> String?) -> [(kind: String, names: [String])] {
    var found: [(kind: String, names: [String])] = []
    for relationship in place.relationships.prefix(Self.mostRelated) {
      guard let kind = Self.word(relationship.kind), let name = name(relationship.target) else {
        continue
      }
      if let index = found.firstIndex(where: { $0.kind == kind }) {
        found[index].names.append(name)
      } else {
        found.append((kind, [name]))
      }
    }
    return found
  }

  /// A relationship kind as part of a variable's name; nil: no usable character is left.
  private static func word(_ kind: String) -> String? {
    let letters = kind.uppercased().unicodeScalars.map { scalar in
      scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    let word = String(letters.prefix(longestKind))
    return word.allSatisfy { $0 == "_" } ? nil : word
  }
}
