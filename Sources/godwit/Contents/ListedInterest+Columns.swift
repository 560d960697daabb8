import Formats

extension ListedInterest {
  static let columns = Columns<ListedInterest>([
    .text("type", cell: .plain("TYPE", 8)) { $0.type },
    .count("score", cell: .plain("SCORE", 5, .right)) { $0.score },
    .count("said", cell: .plain("SET", 3, .right)) { $0.stated },
    .count("inferred", cell: .plain("INFERRED", 8, .right)) { $0.inferred },
    .text("origin", cell: .plain("FROM", 8)) { $0.origin },
  ])
}
