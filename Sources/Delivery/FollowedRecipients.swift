/// Of some recipients it is said when they get nothing more for the time being, once each time.
struct FollowedRecipients: Sendable {
  private let all: Set<Recipient>
  /// Of whom it was not said since there was something new.
  private var unfinished: Set<Recipient>
  /// Who got something since it was last said of them.
  private var served: Set<Recipient> = []

  init(_ all: Set<Recipient>) {
    self.all = all
    unfinished = all
  }

  /// There may be something new for each.
  mutating func renew() { unfinished = all }

  mutating func got(_ recipient: Recipient) { served.insert(recipient) }

  /// - Parameter done: who gets nothing more for the time being.
  /// - Returns: of whom that is news.
  mutating func finish(_ done: [Recipient]) -> [(recipient: Recipient, gotSome: Bool)] {
    done.filter { unfinished.remove($0) != nil }.map { ($0, served.remove($0) != nil) }
  }
}
