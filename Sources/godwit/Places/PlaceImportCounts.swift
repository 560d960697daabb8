import Core
import Formats
import Places

/// Counts the results of importing a file.
struct PlaceImportCounts {
  private let limit: Int
  private(set) var places = 0
  /// How many of those are in the store already, unchanged.
  private var known = 0
  /// How many are repeated in the file; the last one is kept.
  private var repeated = 0
  private var ids: Set<PlaceID> = []
  /// The total of all polygons.
  private var edges = 0
  private var refusals: [String] = []
  private var refused = 0
  /// Notices, with the number of entries they apply to.
  private var notices: [(text: String, count: Int)] = []
  private var unlisted = 0

  init(limit: Int) { self.limit = limit }

  mutating func add(_ entries: [PlaceFileEntry]) {
    for entry in entries {
      if let place = entry.place {
        places += 1
        edges += EdgeLimit.pieces(of: place.perimeter)
      }
      if let error = entry.error {
        refused += 1
        if refusals.count < limit { refusals.append(error.description) }
      }
      for notice in entry.notices { note(notice) }
    }
  }

  /// - Parameter isChange: whether the place is new to the store, or changed.
  mutating func count(_ id: PlaceID, isChange: Bool) {
    if !ids.insert(id).inserted {
      repeated += 1
    } else if !isChange {
      known += 1
    }
  }

  mutating func note(_ text: String) {
    if let place = notices.firstIndex(where: { $0.text == text }) {
      notices[place].count += 1
    } else if notices.count < limit {
      notices.append((text, 1))
    } else {
      unlisted += 1
    }
  }

  func report(of file: String, isTried: Bool) throws {
    var messages = StandardError()
    for notice in notices {
      let line = "\(Counted.text(notice.count, "entry", "entries")): \(notice.text)"
      print("godwit: \(TerminalText.line(line))", to: &messages)
    }
    if unlisted > 0 {
      print("godwit: and \(Counted.text(unlisted, "other remark"))", to: &messages)
    }
    if edges > EdgeLimit.most {
      print(
        "godwit: the areas have \(edges) edges in all: where more than \(EdgeLimit.most) are "
          + "within a few hundred metres, the daemon leaves out the farthest areas, and logs it; "
          + "simplify them",
        to: &messages)
    }
    for refusal in refusals { print("godwit: \(TerminalText.line(refusal))", to: &messages) }
    if refused > refusals.count {
      print("godwit: and \(refused - refusals.count) more refused", to: &messages)
    }
    let done = isTried ? "would be imported" : "imported"
    let unchanged = known > 0 ? "\(known) known, " : ""
    let again = repeated > 0 ? "\(repeated) repeated, " : ""
    let new = Counted.text(places - known - repeated, "place")
    let summary = "\(new) \(done), \(unchanged)\(again)\(refused) refused"
    guard places > 0 || refused == 0 else {
      throw CommandError.failed("\(file): \(summary)")
    }
    try OutputBytes.print(summary)
  }
}
