/// What is wrong with rows of places and alerts, each told once. People write them: they may be
/// many, and long.
struct PlaceRemarks {
  private static let most = 20
  private static let longest = 400

  private var told: [String] = []

  /// What of these has not been told.
  mutating func news(_ wrong: [String]) -> [String] {
    let wrong = wrong.prefix(Self.most).map(Self.cut)
    let news = wrong.filter { !told.contains($0) }
    told = Array((wrong + told.filter { !wrong.contains($0) }).prefix(Self.most * 2))
    return news
  }

  /// A row's own words are bounded where they are taken up.
  static func cut(_ text: String) -> String {
    text.utf8.count <= longest ? text : String(text.prefix(longest)) + "…"
  }
}
