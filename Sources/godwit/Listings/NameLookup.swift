/// Finds what a word on the command line refers to: an id, a name, a name in other letter case, or
/// the first digits of an id. The first of these with a match is used.
enum NameLookup {
  /// The minimum number of digits accepted as the beginning of an id.
  private static let fewestDigits = 4

  static func all<Thing>(
    _ words: String, among things: [Thing], id: (Thing) -> String, name: (Thing) -> String?
  ) -> [Thing] {
    let key = words.lowercased()
    var found = things.filter { id($0) == key }
    if found.isEmpty { found = things.filter { name($0) == words } }
    if found.isEmpty { found = things.filter { name($0)?.lowercased() == key } }
    if found.isEmpty, key.utf8.count >= fewestDigits {
      found = things.filter { id($0).hasPrefix(key) }
    }
    return found
  }
}
