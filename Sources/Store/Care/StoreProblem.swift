/// Something in a store that is not as it should be.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A part of the file cannot be read.
    case damage
    /// A table or an entry is missing that makes the file a GeoPackage or a store.
    case schema
    /// A row cannot be understood: reading stops at it.
    case row
    /// A row names another that is not there.
    case reference
    /// A layer's bounding box is none, or does not hold all its places.
    case extent
    /// Times of a row are not in their order.
    case order
  }

  public let kind: Kind
  public let table: String?
  public let id: Int64?
  /// What it is, with the column where there is one.
  public let text: String
  /// Whether no daemon should go on with such a store. With the others it can, and a copy is as
  /// good as what was copied.
  public let isObstacle: Bool

  /// - Parameter isObstacle: damage is one in any case.
  init(
    _ kind: Kind, in table: String? = nil, id: Int64? = nil, isObstacle: Bool = false,
    _ text: String
  ) {
    self.isObstacle = isObstacle || kind == .damage
    self.kind = kind
    self.table = table
    self.id = id
    self.text = text
  }
}
