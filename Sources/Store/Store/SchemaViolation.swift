import Ports

/// An untrusted entry in a file's schema: its SQL would run for every record, or for every reader.
struct SchemaViolation {
  /// The table concerned, in lower case.
  let table: String
  /// Description.
  let text: String
  /// Whether it affects reading, too.
  let concernsReading: Bool

  /// Another object with the name of one of ours.
  static func replaced(_ name: String, by entry: SchemaEntry) -> SchemaViolation {
    SchemaViolation(
      table: name,
      text: entry.isConsistent
        ? "a \(entry.kind.rawValue) has the name of the table \(name)"
        : "the schema's entry of the table \(name) creates something else",
      concernsReading: true)
  }

  func refusal(_ path: String) -> PortError {
    .failed(
      "the store \(path) cannot be used: \(text), which could change, lose or delay "
        + "records; nothing was changed: stop the daemon and run `godwit store "
        + "repair --store \(path)`, which creates a file without it, or remove it with sqlite3")
  }
}
