/// A place was changed by a person.
public struct StoredPlaceEdit: Hashable, Sendable {
  /// Rising.
  public var id: Int64
  /// As it was; of one that is drawn, without the drawing.
  public var before: StoredCircle
  /// As it is now; nil: it is gone.
  public var after: PlaceRow?

  public init(id: Int64, before: StoredCircle, after: PlaceRow?) {
    self.id = id
    self.before = before
    self.after = after
  }
}
