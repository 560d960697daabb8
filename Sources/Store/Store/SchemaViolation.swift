import Ports

/// Something in a file's schema that is not believed: what it makes would happen to every record,
/// or to everybody who reads.
struct SchemaViolation {
  /// The one that it concerns, in small letters.
  let table: String
  /// What it is.
  let text: String
  /// Whether it would happen to those who only read, too.
  let concernsReading: Bool

  /// Another thing of the name of one of ours.
  static func replaced(_ name: String, by entry: SchemaEntry) -> SchemaViolation {
    SchemaViolation(
      table: name,
      text: entry.isConsistent
        ? "a \(entry.kind.rawValue) stands in the place of the table \(name)"
        : "the schema's entry of the table \(name) makes something else",
      concernsReading: true)
  }

  func refusal(_ path: String) -> PortError {
    .failed(
      "the store \(path) is not used as it is: \(text), by which what is recorded could be "
        + "changed, lost or held up; nothing was changed: stop the daemon and run `godwit store "
        + "repair --store \(path)`, which makes a file without it, or remove it with sqlite3")
  }
}
