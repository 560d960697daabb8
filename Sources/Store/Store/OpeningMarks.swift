import Ports

/// The marks that openings leave in a store, kept in `meta` under `openings` as hexadecimal words.
struct OpeningMarks {
  /// More would not fit into a page beside the others. A copy that is older by more openings is
  /// taken for another store, which costs no more than higher ids.
  static let maxCount = 24

  let earlier: [UInt32]
  let own: UInt32
  /// Whether the file has the own mark.
  var isStored = false

  /// - Parameter text: what the file has; nil when it has none yet.
  init(_ text: String?, adding own: UInt32) {
    earlier = Self.words(text)
    self.own = own
  }

  /// Whether the marks of a file, seen through a log, can have come after those it has without it.
  /// Where they are too many to be kept, nobody knows.
  static func canFollow(_ later: Connection, _ earlier: Connection) throws(PortError) -> Bool {
    let before = words(try earlier.meta(.openings))
    let after = words(try later.meta(.openings))
    guard let newest = before.last, after.count < maxCount else { return true }
    return after.contains(newest)
  }

  static func words(_ text: String?) -> [UInt32] {
    (text ?? "").split(separator: " ").suffix(maxCount).compactMap { UInt32($0, radix: 16) }
  }

  var text: String {
    (earlier + [own]).suffix(Self.maxCount).map { String($0, radix: 16) }.joined(separator: " ")
  }
}
