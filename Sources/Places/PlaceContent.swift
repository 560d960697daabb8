import Records
import Core

/// Content to be shown at a place (Chughtai 2015, section 4.2.9): a reference to it, or its text,
/// or both; and its subject, by which the one shown on entering is chosen (LYU1402, 5.4).
public struct PlaceContent: Hashable, Sendable {
  /// Nil in details without one: a place derives it, see `ContentNames`.
  public var id: UniqueID?
  public var title: String?
  /// "talk", "sale"; empty: none.
  public var type = ""
  /// RFC 3986, with its scheme.
  public var uri: String?
  /// RFC 6838, without parameters: "text/plain".
  public var mediaType: String
  public var text: String?
  /// The time and place of an event.
  public var happening: ContentItem.Happening?

  public init(uri: String? = nil, mediaType: String, text: String? = nil) {
    self.uri = uri
    self.mediaType = mediaType
    self.text = text
  }

  /// The item for selection, counting and ranking; nil: it has no id yet.
  public var item: ContentItem? {
    guard let id else { return nil }
    var item = ContentItem(id: id, title: title ?? heading, type: type)
    item.text = text
    item.uri = uri
    item.happening = happening
    return item
  }

  /// For content without a title.
  private var heading: String {
    let line = text?.split(whereSeparator: \.isNewline).first.map(String.init)
    return line.map { String($0.prefix(Self.headingLength)) } ?? uri ?? mediaType
  }

  private static let headingLength = 60
}

extension Place {
  /// The items for display, in the order of the place's contents.
  public var items: [ContentItem] { details.contents.compactMap(\.item) }
}
