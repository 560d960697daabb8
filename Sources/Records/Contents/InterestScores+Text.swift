import Core

extension InterestScores {
  /// The text in the store: the scores set by people, and whether scores may be inferred from
  /// visits. The inferred scores are recomputed.
  public var text: String {
    let types = explicitScores.keys.sorted().compactMap { type in
      explicitScores[type].map { (name: type, value: JSONValue.count($0)) }
    }
    return JSONValue.object([
      ("said", .object(types)), ("inferred_from_visits", .bool(infersFromVisits)),
    ]).text
  }

  /// - Parameter text: nil: no scores are set yet.
  /// - Throws: if `text` has not written it.
  public init(text: String?) throws(ContentRefusal) {
    self.init()
    guard let text else { return }
    guard let json = try? JSONValue(parsing: text), case .object(let types)? = json["said"],
      let infers = json["inferred_from_visits"]?.bool
    else { throw ContentRefusal("the interests in the store cannot be read") }
    infersFromVisits = infers
    for (type, score) in types {
      guard let score = score.integer else {
        throw ContentRefusal("the interests in the store cannot be read: no score of \(type)")
      }
      try setScore(score, of: type)
    }
  }
}
