import Core

/// The reliability of an evidence source, from the outcome of its reports.
///
/// A source begins untrusted: an unconnected one is silent, too. A contradiction removes all trust
/// and triples the confirmations required, until it has been right for long: every source is wrong
/// now and then.
struct SourceTrust: Hashable, Sendable {
  private static let maxRequired = 64
  /// After this many confirmations beyond those required, earlier errors no longer count.
  private static let rehabilitation = 20

  /// In all.
  private(set) var confirmations = 0
  private(set) var contradictions = 0
  private let initially: Int
  private var required: Int
  /// Since the last contradiction.
  private var inARow = 0

  /// - Parameter required: the number of confirmations until it is trusted.
  init(required: Int) {
    initially = required
    self.required = required
  }

  var isTrusted: Bool { inARow >= required }

  mutating func confirm() {
    confirmations = min(confirmations + 1, Self.maxCount)
    inARow = min(inARow + 1, Self.maxCount)
    if inARow >= required + Self.rehabilitation { required = initially }
  }

  mutating func contradict() {
    contradictions = min(contradictions + 1, Self.maxCount)
    inARow = 0
    required = min(required * 3, Self.maxRequired)
  }
}

// MARK: Over a restart

extension SourceTrust {
  private static let maxCount = 1_000_000

  static let fields = SnapshotFields<SourceTrust>([
    .required("confirmed", \.confirmations, .count(0...maxCount)),
    .required("contradicted", \.contradictions, .count(0...maxCount)),
    .required("required", \.required, .count(1...maxRequired)),
    .required("in_a_row", \.inARow, .count(0...maxCount)),
  ])
}
