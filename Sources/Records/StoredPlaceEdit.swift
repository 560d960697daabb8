/// A change of a place by a person.
public struct StoredPlaceEdit: Hashable, Sendable {
  /// Rising.
  public var id: Int64
  /// The previous state; for a drawn place without the drawing.
  public var before: StoredCircle
  /// The current state; nil: it was deleted.
  public var after: PlaceRow?

  public init(id: Int64, before: StoredCircle, after: PlaceRow?) {
    self.id = id
    self.before = before
    self.after = after
  }
}
