import Ports

/// The marks of a store's openings, kept in `meta` under `openings` as hexadecimal words.
struct OpeningMarks {
  /// More would not fit into a page with the other keys. A copy that is older by more openings
  /// counts as another store, which costs no more than higher ids.
  static let maxCount = 24

  let earlier: [UInt32]
  let own: UInt32
  /// Whether the own mark is in the file.
  var isStored = false

  /// - Parameter text: the text in the file; nil if it has none yet.
  init(_ text: String?, adding own: UInt32) {
    earlier = Self.words(text)
    self.own = own
  }

  /// Whether the marks of a file, read through a log, can be a continuation of those without it.
  /// True if too many followed, because then it is unknown.
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
