/// The marks that openings leave in a store, kept in `meta` under `key` as hexadecimal words.
struct OpeningMarks {
  static let key = "openings"
  /// More would not fit into a page beside the others. A copy that is older by more openings is
  /// taken for another store, which costs no more than higher ids.
  static let most = 24

  let earlier: [UInt32]
  let own: UInt32
  /// Whether the file has the own mark.
  var isStored = false

  /// - Parameter text: what the file has; nil when it has none yet.
  init(_ text: String?, adding own: UInt32) {
    earlier = (text ?? "").split(separator: " ").suffix(Self.most).compactMap {
      UInt32($0, radix: 16)
    }
    self.own = own
  }

  var text: String {
    (earlier + [own]).suffix(Self.most).map { String($0, radix: 16) }.joined(separator: " ")
  }
}
