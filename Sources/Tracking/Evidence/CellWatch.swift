import Core

/// The serving cell as evidence: at rest it changes among the same few cells; a cell never received
/// at the place before is an alarm.
struct CellWatch: Sendable {
  /// Cells remembered per place. Few places receive more.
  private static let maxReceived = 16

  private(set) var alarm = AlarmRecord()
  private var serving: String?
  private var receivedHere: [String] = []

  /// - Returns: whether a fix attempt is needed.
  mutating func serves(_ name: String, isResting: Bool, at now: BootInstant) -> Bool {
    guard name.utf8.count <= CoarseLocationFilter.maxNameLength else { return false }
    serving = name
    guard !receivedHere.contains(name) else { return false }
    // The first cell at a place has nothing to be compared with.
    let isNews = isResting && !receivedHere.isEmpty
    receivedHere.append(name)
    if receivedHere.count > Self.maxReceived { receivedHere.removeFirst() }
    return isNews && alarm.raise(at: now)
  }

  mutating func moved() {
    alarm.moved()
    receivedHere = serving.map { [$0] } ?? []
  }

  mutating func stayed(at now: BootInstant) { alarm.stayed(at: now) }
}

// MARK: Over a restart

extension CellWatch {
  static let fields = SnapshotFields<CellWatch>([.part("alarm", \.alarm, AlarmRecord.fields)])
}
