/// How far a source of evidence can be relied on, from what became of its statements.
///
/// A source begins without trust: one that is not wired says nothing, too. What contradicts it
/// takes all trust away, and makes it harder to earn again each time.
struct SourceTrust: Hashable, Sendable {
  private static let maxRequired = 64

  private(set) var confirmations = 0
  private(set) var contradictions = 0
  private var required: Int

  /// - Parameter required: after so many confirmations it is trusted.
  init(required: Int) { self.required = required }

  var isTrusted: Bool { confirmations >= required }

  mutating func confirm() { confirmations += 1 }

  mutating func contradict() {
    contradictions += 1
    confirmations = 0
    required = min(required * 3, Self.maxRequired)
  }
}
