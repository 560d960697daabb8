/// What people mean by a word on the command line: an id, a name, a name in other letters, or the
/// first digits of an id. The first of these by which there is anything counts.
enum NameLookup {
  /// Digits of an id that are taken for one.
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
