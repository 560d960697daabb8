import Core

/// What the serving cell tells: at rest it changes among the same few, which is no news; one that
/// was never heard there is.
struct CellWatch: Sendable {
  /// Of one place. Few places hear more.
  private static let maxHeard = 16

  private(set) var alarm = AlarmRecord()
  private var serving: String?
  private var heardHere: [String] = []

  /// - Returns: whether it calls for a look.
  mutating func serves(_ name: String, isResting: Bool, at now: BootInstant) -> Bool {
    guard name.utf8.count <= CoarseLocationFilter.maxNameLength else { return false }
    serving = name
    guard !heardHere.contains(name) else { return false }
    // The first at a place has nothing to be compared with.
    let isNews = isResting && !heardHere.isEmpty
    heardHere.append(name)
    if heardHere.count > Self.maxHeard { heardHere.removeFirst() }
    return isNews && alarm.call(at: now)
  }

  mutating func moved() {
    alarm.moved()
    heardHere = serving.map { [$0] } ?? []
  }

  mutating func stayed(at now: BootInstant) { alarm.stayed(at: now) }
}

// MARK: Over a restart

extension CellWatch {
  static let fields = SnapshotFields<CellWatch>([.part("alarm", \.alarm, AlarmRecord.fields)])
}
