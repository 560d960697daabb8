/// What a store says of itself when it has been opened.
public struct StoreOpening: Hashable, Sendable {
  /// The marks that its earlier openings left, the oldest first.
  ///
  /// An older copy of a store has the marks that the store had then, and no others; a copy that
  /// somebody else went on with has one that the store never had. Only the newest are kept.
  public var marks: [UInt32]
  /// The mark of this opening, by chance. The store has it as soon as something is written.
  public var mark: UInt32
  /// The highest ids in use.
  public var identifiers: StoreIdentifiers
  /// What is wrong with it, in words, although records can be stored.
  public var warning: String?

  public init(
    marks: [UInt32], mark: UInt32, identifiers: StoreIdentifiers, warning: String? = nil
  ) {
    self.marks = marks
    self.mark = mark
    self.identifiers = identifiers
    self.warning = warning
  }
}
