import Ports

/// Why a file's schema cannot be used: an untrusted entry, whose SQL would run for every record or
/// for every reader, or a missing column.
struct SchemaViolation {
  /// What the file is: the commands that repair a file and restore its backup are for stores alone.
  enum File: String { case store, collection }

  /// The table concerned, in lower case.
  let table: String
  /// Description.
  let text: String
  /// Whether it affects reading, too.
  let concernsReading: Bool
  /// Whether something is missing, rather than there without permission.
  var isAbsence = false

  /// Another object with the name of one of ours.
  static func replaced(_ name: String, by entry: SchemaEntry) -> SchemaViolation {
    SchemaViolation(
      table: name,
      text: entry.isConsistent
        ? "a \(entry.kind.rawValue) has the name of the table \(name)"
        : "the schema's entry of the table \(name) creates something else",
      concernsReading: true)
  }

  func refusal(_ path: String, in file: File = .store) -> PortError {
    let harm =
      isAbsence
      ? "without which its rows can be neither read nor written"
      : "which could change, lose or delay records"
    return .failed(
      "the \(file.rawValue) \(path) cannot be used: \(text), \(harm); nothing was changed: "
        + remedy(path, file))
  }

  private func remedy(_ path: String, _ file: File) -> String {
    switch (file, isAbsence) {
    case (.store, false):
      "stop the daemon and run `godwit store repair --store \(path)`, which creates a file without "
        + "it, or remove it with sqlite3"
    case (.store, true):
      "stop the daemon and restore a backup with `godwit store restore FILE --store \(path)`, or "
        + "save the rows of the other tables with `godwit store repair --store \(path)`"
    case (.collection, false):
      "stop `godwit collect` and remove it with sqlite3, or choose another file with --store"
    case (.collection, true):
      "put a copy of the collection that has the column in its place, or choose another file with "
        + "--store"
    }
  }
}
