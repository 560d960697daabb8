/// A hash of a text, the same at every run and on every machine, unlike Swift's own: FNV-1a with 64
/// bits. Not for secrets.
enum StableHash {
  static func of(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
