/// Finds the name that was probably meant.
public enum NearestName {
  /// Longer inputs are not typing errors.
  static let maxLength = 64

  /// The known key that is most similar to the unknown one; nil if none is similar. A key with the
  /// same last component in another section counts as the most similar.
  public static func suggestion(for unknown: String, among known: [String]) -> String? {
    guard unknown.utf8.count <= maxLength else { return nil }
    let name = lastPart(unknown)
    if let moved = known.first(where: { lastPart($0) == name }) { return moved }
    let ranked = known.map { (name: $0, distance: distance(unknown, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }),
      best.distance <= max(2, unknown.utf8.count / 4)
    else { return nil }
    return best.name
  }

  /// The names most similar to a text, best first; equally similar ones in alphabetical order.
  public static func nearest(to text: String, among names: [String], limit: Int) -> [String] {
    let text = String(text.prefix(maxLength))
    let ranked = Set(names).map {
      (name: $0, distance: distance(text, String($0.prefix(maxLength))))
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(limit).map(\.name)
  }

  private static func lastPart(_ key: String) -> Substring {
    key.split(separator: ".").last ?? ""
  }

  /// The number of insertions, deletions, substitutions and swaps of adjacent characters between
  /// two texts (optimal string alignment).
  public static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(
          previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforePrevious[j - 1] + 1)
        }
        row.append(cost)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
