import Core

/// Letters, groups and the like, to be selected by a name, an id, or the first digits of an id.
struct NamedItems<Thing> {
  /// The singular: "letter".
  private let noun: String
  private let plural: String
  /// The command that lists them: "godwit letters".
  private let command: String
  private var all: [(id: UniqueID, name: String?, thing: Thing)] = []

  init(_ noun: String, plural: String? = nil, listedBy command: String) {
    self.noun = noun
    self.plural = plural ?? noun + "s"
    self.command = command
  }

  mutating func add(_ thing: Thing, _ id: UniqueID, name: String? = nil) {
    all.append((id, name, thing))
  }

  /// - Parameter words: a name is matched case-insensitively.
  func one(_ words: String) throws(CommandError) -> Thing {
    let found = NameLookup.all(words, among: all, id: \.id.description, name: \.name)
    guard let first = found.first else {
      throw .failed(
        "there is no \(noun) \"\(TerminalText.line(words))\"; `\(command)` lists them")
    }
    guard found.count == 1 else {
      let ids = found.prefix(5).map { String($0.id.description.prefix(8)) }
      throw .failed(
        "\(found.count) \(plural) are called \"\(TerminalText.line(words))\": specify one by more "
          + "digits of its id: \(ids.joined(separator: ", "))")
    }
    return first.thing
  }
}
