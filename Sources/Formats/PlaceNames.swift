import Records

/// What places are called in exports: the user's labels, and numbers where there is none.
struct PlaceNames: Sendable {
  private var labels: [Int64: String] = [:]

  mutating func add(_ destination: Destination) { labels[destination.id] = destination.label }

  func name(of destination: Destination) -> String {
    destination.label ?? "Destination \(destination.id)"
  }

  func name(of visit: Visit) -> String {
    guard let id = visit.destination else { return "Visit \(visit.id)" }
    return labels[id] ?? "Destination \(id)"
  }
}
