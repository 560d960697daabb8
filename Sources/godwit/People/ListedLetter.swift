import Messaging
import Formats
import Core

/// A letter as its reader or its writer may see it.
struct ListedLetter: Sendable {
  let key: LetterKey
  /// The progress of a letter that was written here.
  let outgoing: OutgoingLetter?
  /// The state of a letter for the owner.
  let record: LetterRecord?
  private let box: Letterbox?
  private let from: String
  private let to: String?
  private let outcomes: [ListedOutcome]
  private let isOwn: Bool

  private init(
    _ key: LetterKey, _ record: LetterRecord?, _ outgoing: OutgoingLetter?, _ table: PeopleTable
  ) {
    self.key = key
    self.record = record
    self.outgoing = outgoing
    isOwn = key.from == table.me
    let letter = outgoing?.letter ?? record?.letter
    let names = table.names
    from = names.text(of: key.from)
    to = letter.map { names.text(of: $0.to) }
    outcomes = outgoing.map { ListedOutcome.all(of: $0, names) } ?? []
    if case .box(let id)? = letter?.spot {
      box = table.messaging.letterboxes.first { $0.id == id }
    } else {
      box = nil
    }
  }

  /// The letters for the owner in order of arrival, then those that the owner has written. A note
  /// to oneself is both, and has one line.
  static func all(of table: PeopleTable) -> [ListedLetter] {
    let outgoing = Dictionary(
      uniqueKeysWithValues: table.messaging.outgoing.map { ($0.letter.key, $0) })
    let records = table.messaging.letterRecords
    let known = Set(records.map(\.key))
    return records.map { ListedLetter($0.key, $0, outgoing[$0.key], table) }
      + table.messaging.outgoing.filter { !known.contains($0.letter.key) }
      .map { ListedLetter($0.letter.key, nil, $0, table) }
  }

  // MARK: Its properties

  /// Nil if it is no longer kept here.
  var letter: Letter? { outgoing?.letter ?? record?.letter }

  /// Whether it still needs an action, or an outcome is expected.
  var isOpen: Bool {
    switch record?.status {
    case .waiting, .delivered: true
    case .read, .withdrawn, .expired, .refused, nil: outgoing.map { !$0.isCleared } ?? false
    }
  }

  /// Whether its text may be read only at its place; its writer may always read it.
  var isHidden: Bool { record?.status == .waiting && !isOwn }

  /// Nil while it may not be read here, or is not kept.
  var text: String? { isHidden ? nil : letter?.text }

  /// "waiting", "near"; for an own letter "written", "lying"
  var state: String {
    if let record, outgoing == nil || record.status != .waiting {
      return record.status == .waiting && record.isNear ? "near" : record.status.rawValue
    }
    guard let outgoing else { return "" }
    if outgoing.isWithdrawn { return "withdrawn" }
    if outgoing.isCleared { return outgoing.isDelivered ? "delivered" : "over" }
    return outgoing.stages.values.contains(.toPublish) ? "written" : "lying"
  }

  var circle: LetterCircle? {
    switch letter?.spot {
    case .circle(let circle): circle
    case .box: box?.circle
    case nil: nil
    }
  }

  private var outcomeText: String { outcomes.map(\.text).joined(separator: ", ") }

  private var placeName: String? { box?.name ?? circle?.name }

  /// "Museum, 52.09070, 5.12140, within 20 m"
  var place: String {
    guard let circle else {
      return letter == nil ? "it is not known here" : "in a letterbox that is not known here"
    }
    let position = [circle.centre.latitude, circle.centre.longitude].map {
      FixedDecimal.text($0.value, digits: 5)
    }
    let parts = [placeName] + position + ["within \(circle.radius.inWords)"]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  static let columns = Columns<ListedLetter>([
    .text("id", cell: .made("ID", 8) { row, _ in String(row.key.id.description.prefix(8)) }) {
      $0.key.id.description
    },
    .text("state", cell: .plain("STATE", 5)) { $0.state },
    .table(.made("FROM", 4) { row, _ in row.from }),
    .text("from") { $0.key.from.description },
    .table(.made("TO", 4) { row, _ in row.to ?? "" }),
    .texts("to") { $0.letter?.to.addresses ?? [] },
    .text("box") { $0.box?.id.description },
    .table(.made("WHERE", 5) { row, _ in row.letter == nil ? "" : row.place }),
    .text("place") { $0.placeName },
    .number("lat", digits: 7) { $0.circle?.centre.latitude.value },
    .number("lon", digits: 7) { $0.circle?.centre.longitude.value },
    .number("radius_m", digits: 1) { $0.circle?.radius.value },
    .time("written", cell: .plain("WRITTEN", 19)) { $0.letter?.written },
    .time("expires", cell: .plain("EXPIRES", 7)) { $0.letter?.expires },
    .text("answers") { $0.letter?.answers?.description },
    .text("reason") { $0.record?.reason?.rawValue },
    .parts("outcomes", cell: .made("OUTCOMES", 8) { row, _ in row.outcomeText }) {
      $0.outcomes.map(\.json)
    },
    .text("text") { $0.text },
  ])

  var json: String {
    var writer = JSONWriter()
    Self.columns.append(self, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// For people.
  var page: String {
    var page = TextPage(names: 8)
    let lines: [(String, String?)] = [
      ("from", from), ("to", to), ("where", place),
      ("written", letter?.written.map(LocalTime.text)),
      ("expires", letter?.expires.map(LocalTime.text)),
      ("answers", letter?.answers?.description), ("state", state),
      ("outcomes", outcomes.isEmpty ? nil : outcomeText),
      ("id", key.id.description),
    ]
    for (name, text) in lines { page.add(name, text.map(TerminalText.line)) }
    let text = text?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? []
    page.add("text", lines: text.map { TerminalText.line(String($0)) })
    return page.text
  }
}

extension PeopleTable {
  func letter(_ words: String) throws(CommandError) -> ListedLetter {
    var things = NamedItems<ListedLetter>("letter", listedBy: "godwit letters list --all")
    for letter in ListedLetter.all(of: self) { things.add(letter, letter.key.id) }
    return try things.one(words)
  }
}
