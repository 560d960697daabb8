/// Errors in rows of places and alerts, each reported once. Rows are edited by hand: the errors may
/// be many, and long.
struct PlaceRemarks {
  private static let most = 20
  private static let longest = 400

  private var reported: [String] = []

  /// The errors that have not been reported.
  mutating func newRemarks(_ wrong: [String]) -> [String] {
    let wrong = wrong.prefix(Self.most).map(Self.cut)
    let news = wrong.filter { !reported.contains($0) }
    reported = Array((wrong + reported.filter { !wrong.contains($0) }).prefix(Self.most * 2))
    return news
  }

  /// Limits the length of text quoted from a row.
  static func cut(_ text: String) -> String {
    text.utf8.count <= longest ? text : String(text.prefix(longest)) + "…"
  }
}
