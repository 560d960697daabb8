import Places
import Ports

/// What the user's command is told of a place, beside what has happened there: what is to be shown,
/// and what other places are to it.
struct PlaceFacts {
  /// Of other places so many are looked up.
  private static let mostRelated = 16
  private static let longestKind = 32

  private let place: Place
  /// What was chosen to be shown, or else the first that there is without a time: of one that has
  /// one nobody knows here whether it is over.
  private let content: (text: String?, uri: String?, title: String?)

  /// - Parameter shown: the content that was chosen, by its id; nil: none was.
  init(_ place: Place, shown: String? = nil) {
    self.place = place
    let chosen = shown.flatMap { id in place.contents.first { $0.id?.description == id } }
    let lasting = place.contents.lazy.filter { $0.happening == nil }
    content = (
      chosen.map(\.text) ?? lasting.compactMap(\.text).first,
      chosen.map(\.uri) ?? lasting.compactMap(\.uri).first, chosen?.item?.title
    )
  }

  /// - Parameter name: of another place; nil: it is not there.
  func list(name: (PlaceID) -> String?) -> [NoticeOrder.Fact] {
    var facts: [NoticeOrder.Fact] = []
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

  /// By kind, in the order in which the place has them.
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

  /// A service's own word as part of a variable's name; nil: nothing is left of it.
  private static func word(_ kind: String) -> String? {
    let letters = kind.uppercased().unicodeScalars.map { scalar in
      scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    let word = String(letters.prefix(longestKind))
    return word.allSatisfy { $0 == "_" } ? nil : word
  }
}
