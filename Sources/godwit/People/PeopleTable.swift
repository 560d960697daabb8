import Messaging
import Core
import Platform
import Records
import Store

/// The messaging state of the board's owner, as stored now.
struct PeopleTable {
  private(set) var messaging: MessagingState
  let hasBroker: Bool
  let zone = SystemTimeZones().local
  /// Nil on a board whose clock is not set.
  let date = MessageCheck.plausible(BootClock.systemDate)

  /// - Parameter here: the board's last location.
  init(_ owner: BoardOwner, _ items: [StoredMessage], at here: Location?) {
    hasBroker = owner.hasBroker
    messaging = MessagingState(
      of: owner.address, hasBroker: owner.hasBroker, restoring: items, at: here)
  }

  var me: PersonAddress { messaging.me }
  var names: PeopleNames { PeopleNames(messaging.contacts, me: messaging.me) }

  /// - Throws: if the action is refused.
  mutating func apply(_ action: PeopleAction) throws(CommandError) -> MessagingResult {
    let turn = messaging.step(action.event, at: BootClock.now, date: date)
    if let subject = action.subject {
      for refusal in turn.refusals where refusal.concerns(subject) {
        throw .failed(TerminalText.line(refusal.description))
      }
    }
    return turn
  }

  /// An end in the past would make it invisible from the start.
  /// - Parameter option: the option with the end.
  func checkIsAhead(_ end: LocalTime?, _ option: String) throws(CommandError) {
    guard let end, let date, end.instant <= date else { return }
    throw .wrongUsage("\(option) is in the past: specify a later time")
  }

  /// Applies the present time, so that lists show what is over; this change is not stored.
  mutating func keepTime() { _ = messaging.step(.timePassed, at: BootClock.now, date: date) }

  /// Prints new events on standard error, and refusals about others.
  func report(_ turn: MessagingResult) {
    for news in turn.notifications where !isOwn(news) {
      StandardError.report(news.text(messaging.contacts, me: me))
    }
    for refusal in turn.refusals { StandardError.report(refusal.description) }
  }

  /// The owner's own change or end of a group is not reported to the owner.
  private func isOwn(_ news: MessagingNotification) -> Bool {
    switch news {
    case .group(let group, .changed), .group(let group, .ended): group.guide == me
    default: false
    }
  }

  /// Groups and meetings need messages that a broker retains.
  func warnWithoutBroker() {
    guard !hasBroker else { return }
    StandardError.report(
      "it is sent to others only once a broker is set: set brokers in the section [uplink.mqtt], "
        + "and people = true there")
  }

  /// Prints on standard error what cannot be read.
  func printRemarks() {
    for remark in messaging.remarks { StandardError.report(remark) }
  }
}

/// An action of the owner.
struct PeopleAction {
  let event: MessagingEvent
  /// The letter, letterbox, group or meeting; nil for contacts.
  let subject: UniqueID?

  init(_ event: MessagingEvent, of subject: UniqueID?) {
    self.event = event
    self.subject = subject
  }
}

extension StoreOptions {
  func owner() throws -> BoardOwner {
    try BoardOwner(configuration.load().settings, from: configuration.file)
  }

  /// The present messaging state; reports what cannot be read.
  func people() throws -> PeopleTable {
    let owner = try owner()
    var table: PeopleTable?
    try read {
      table = PeopleTable(owner, try $0.messages(), at: try $0.lastTrackPoint()?.location)
    }
    guard var table else { preconditionFailure("read returns after it has read") }
    table.printRemarks()
    table.keepTime()
    return table
  }

  /// Performs an action on the store's present state, stores the result in the same transaction,
  /// and reports further events. A refused action changes nothing.
  /// - Returns: the state afterwards.
  @discardableResult
  func perform(_ action: (PeopleTable) throws -> PeopleAction) throws -> PeopleTable {
    let done = try changePeople { table in
      let turn = try table.apply(try action(table))
      return (turn.change, turn)
    }
    done.table.report(done.outcome)
    return done.table
  }

  /// - Parameter body: returns the change to store, and its outcome.
  /// - Returns: the outcome, once it is stored.
  func changePeople<Outcome>(
    _ body: (inout PeopleTable) throws -> (MessageChange, Outcome)
  ) throws -> (table: PeopleTable, outcome: Outcome) {
    let owner = try owner()
    var result: Result<(PeopleTable, Outcome), any Error>?
    var here: Location?
    try read { here = try $0.lastTrackPoint()?.location }
    try edit { store in
      try store.changeMessages { items in
        do {
          var table = PeopleTable(owner, items, at: here)
          let (change, outcome) = try body(&table)
          result = .success((table, outcome))
          return change
        } catch {
          result = .failure(error)
          return MessageChange()
        }
      }
      // Errors end the edit before the daemon is notified.
      _ = try result?.get()
    }
    guard let done = try result?.get() else {
      preconditionFailure("a change returns after it has been made")
    }
    return done
  }
}
