import Records
import Core

/// Something to be shown at a place (Chughtai 2015, section 4.2.9): where it is to be had, or what
/// it says, or both; and what it is about, by which the one is chosen that is shown on entering
/// (LYU1402, 5.4).
public struct PlaceContent: Hashable, Sendable {
  /// Nil in details that somebody has written without: a place gives it one, see `ContentNames`.
  public var id: UniqueID?
  public var title: String?
  /// "talk", "sale"; empty: it has none.
  public var type = ""
  /// RFC 3986, with its scheme.
  public var uri: String?
  /// RFC 6838, without parameters: "text/plain".
  public var mediaType: String
  public var text: String?
  /// When and where something takes place.
  public var happening: ContentItem.Happening?

  public init(uri: String? = nil, mediaType: String, text: String? = nil) {
    self.uri = uri
    self.mediaType = mediaType
    self.text = text
  }

  /// What is chosen from, counted and ranked; nil: it has no id yet.
  public var item: ContentItem? {
    guard let id else { return nil }
    var item = ContentItem(id: id, title: title ?? heading, type: type)
    item.text = text
    item.uri = uri
    item.happening = happening
    return item
  }

  /// Of one that nobody has given a title.
  private var heading: String {
    let line = text?.split(whereSeparator: \.isNewline).first.map(String.init)
    return line.map { String($0.prefix(Self.headingLength)) } ?? uri ?? mediaType
  }

  private static let headingLength = 60
}

extension Place {
  /// What may be shown there, in the order in which the place has it.
  public var items: [ContentItem] { details.contents.compactMap(\.item) }
}
