/// Words that no name in Sources contains: nonstandard terms, each with the standard terms that
/// replace it, and words that treat a thing as a person.
enum BannedWords {
  private static let words: [String: String] = [
    "belief": "estimate", "carrier": "relay, signal", "courier": "sender", "dark": "no signal",
    "deed": "action", "desk": "engine, list", "discretion": "privacy filter",
    "hear": "receive", "heard": "received", "hears": "receives", "kinship": "relationship",
    "lay": "publish, place", "lookout": "monitor", "mail": "delivery", "manner": "mode, options",
    "nobody": "none", "obey": "handle", "parcel": "batch", "patience": "timeout",
    "seal": "encryptor", "shelf": "cache, library", "sluice": "queue", "somebody": "person",
    "standing": "status, health", "tell": "report", "tells": "reports", "told": "reported",
    "whoever": "person", "witness": "check",
  ]
  /// Allowed: a job in a simulated life.
  private static let exceptions: Set<String> = ["parcelDriver"]

  static func check(_ file: SourceText) -> [Violation] {
    let declaration = /\b(?:func|var|let|case|struct|class|enum|protocol|typealias)\s+`?(\w+)/
    return file.code.enumerated().flatMap { index, line -> [Violation] in
      line.matches(of: declaration).map { String($0.1) }
        .filter { !exceptions.contains($0) }
        .flatMap { name in
          parts(of: name).compactMap { part in
            words[part].map {
              Violation(
                path: file.path, line: index + 1,
                message: "\(name): \"\(part)\" is not used in names; say \($0)")
            }
          }
        }
    }
  }

  /// Splits "lastFixTime" into "last", "fix" and "time".
  private static func parts(of name: String) -> [String] {
    name.matches(of: /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/).map { $0.0.lowercased() }
  }
}
