/// Recipients for which it is reported once each time when nothing more is sent for the time being.
struct FollowedRecipients: Sendable {
  private let all: Set<Recipient>
  /// Those not reported since there were new messages.
  private var unfinished: Set<Recipient>
  /// Those that were sent something since their last report.
  private var served: Set<Recipient> = []

  init(_ all: Set<Recipient>) {
    self.all = all
    unfinished = all
  }

  /// There may be new messages for each.
  mutating func renew() { unfinished = all }

  mutating func got(_ recipient: Recipient) { served.insert(recipient) }

  /// - Parameter done: those for which nothing more is sent for the time being.
  /// - Returns: those to be reported.
  mutating func finish(_ done: [Recipient]) -> [(recipient: Recipient, gotSome: Bool)] {
    done.filter { unfinished.remove($0) != nil }.map { ($0, served.remove($0) != nil) }
  }
}
