/// The number of actions of one kind on one content.
public struct ContentCount: Hashable, Sendable {
  public var contentID: String
  public var kind: ContentAction.Kind
  public var count: Int

  public init(contentID: String, kind: ContentAction.Kind, count: Int) {
    self.contentID = contentID
    self.kind = kind
    self.count = count
  }
}
