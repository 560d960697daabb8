import ArgumentParser
import Records
import Core
import Places
import Store

/// `godwit contents interests`: how much each type of contents interests the board's user, and the
/// origin of the score.
struct ContentsInterestsCommand: ParsableCommand {
  enum Answer: String, CaseIterable, ExpressibleByArgument { case yes, no }

  static let configuration = CommandConfiguration(
    commandName: "interests",
    abstract: "Show or set your interests in types of contents.",
    discussion: """
      Interests that you do not set are inferred from visits of at least five minutes to places \
      with contents of that type, within the last 90 days: 1 from two visits on, 2 from four, 3 \
      from eight. --infer no turns that off.
      """)

  // A score may begin with a minus.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "Type of contents, and its new score: -10 to 10, or - to remove the score.",
      valueName: "type [score|-]"))
  var words: [String] = []
  @Option(help: "Infer interests from visits: yes or no.") var infer: Answer?
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  private enum Score {
    case nothing
    case number(Int)
  }

  func validate() throws {
    if let option = words.first, option.hasPrefix("-") {
      throw ValidationError("there is neither an option nor a type \(option)")
    }
    guard words.count <= 2 else {
      throw ValidationError("specify one type and one score: quote a type of several words")
    }
    _ = try score()
  }

  private func score() throws -> Score? {
    guard words.count == 2 else { return nil }
    if words[1] == "-" { return .nothing }
    guard let number = Int(words[1]) else {
      throw ValidationError("\(words[1]) is not a score: use -10 to 10, or - to remove the score")
    }
    return .number(number)
  }

  func run() throws {
    let score = try score()
    if score != nil || infer != nil {
      try store.edit { store in
        try ContentEditor(store).changeInterests { try changed($0, score) }
      }
    }
    try show(try store.contents())
  }

  private func changed(_ text: String?, _ score: Score?) throws -> String {
    do throws(ContentRefusal) {
      // Unreadable interests are replaced, since nothing of them could be kept.
      var interests = (try? InterestScores(text: text)) ?? InterestScores()
      if let infer { interests.infersFromVisits = infer == .yes }
      switch score {
      case .number(let number): try interests.setScore(number, of: words[0])
      case .nothing: try interests.setScore(nil, of: words[0])
      case nil: break
      }
      return interests.text
    } catch {
      throw CommandError.wrongUsage(error.message)
    }
  }

  // MARK: What is known

  private func show(_ table: ContentTable) throws {
    let all =
      Set(table.interests.explicitScores.keys).union(table.interests.inferred.keys)
      .union(table.rows.map(\.item.type)).filter { !$0.isEmpty }
    let types = words.first.map { [$0] } ?? all.sorted()
    let rows = types.map { ListedInterest($0, table) }
    guard json else {
      var listing = Listing(.table, ListedInterest.columns, fitsRows: true)
      for row in rows { try listing.add(row) }
      try listing.finish()
      guard !table.interests.infersFromVisits else { return }
      return try OutputBytes.print("Nothing is inferred from visits.")
    }
    var writer = JSONWriter()
    writer.object { json in
      json.field("inferred_from_visits", table.interests.infersFromVisits)
      json.array("interests") { json in for row in rows { json.value(row.json) } }
    }
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// The score of one type of contents, and its origin.
struct ListedInterest: Sendable {
  let type: String
  let score: Int
  let stated: Int?
  let inferred: Int?
  let sources: [InterestSources.Source]

  init(_ type: String, _ table: ContentTable) {
    self.type = type
    score = table.interests[type]
    stated = table.interests.explicitScores[type]
    inferred = table.interests.inferred[type]
    sources = table.interests.infersFromVisits ? table.sources.sources(of: type) : []
  }

  /// "said", "4 visits to Bakery, 2 to Market"
  var origin: String {
    let visits = sources.prefix(3).map { "\($0.name) (\(Counted.text($0.visits, "visit")))" }
    let places = visits.joined(separator: ", ") + (sources.count > 3 ? ", …" : "")
    if stated != nil { return "said" }
    return places
  }

  var json: JSONValue {
    .object([
      ("type", .string(type)), ("score", .count(score)), ("said", .count(stated)),
      ("inferred", .count(inferred)),
      (
        "visits",
        .array(
          sources.map { source in
            .object([
              ("place_id", .string(source.place.description)), ("place", .string(source.name)),
              ("visits", .count(source.visits)),
            ])
          })
      ),
    ])
  }
}
