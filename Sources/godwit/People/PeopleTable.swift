import Messaging
import Core
import Platform
import Records
import Store

/// What the board's owner exchanges with others, as a store has it now.
struct PeopleTable {
  private(set) var messaging: MessagingState
  let hasBroker: Bool
  /// Nil on a board whose clock knows none.
  let date = MessageCheck.believable(BootClock.systemDate)

  /// - Parameter here: where the board was located last.
  init(_ owner: BoardOwner, _ items: [StoredMessage], at here: Location?) {
    hasBroker = owner.hasBroker
    messaging = MessagingState(
      of: owner.address, hasBroker: owner.hasBroker, restoring: items, at: here)
  }

  var me: PersonAddress { messaging.me }
  var names: PeopleNames { PeopleNames(messaging.contacts, me: messaging.me) }

  /// - Throws: where it is refused.
  mutating func take(_ action: PeopleAction) throws(CommandError) -> PeopleStepResult {
    let turn = messaging.step(action.event, at: BootClock.now, date: date)
    if let subject = action.subject {
      for refusal in turn.refusals where refusal.concerns(subject) {
        throw .failed(TerminalText.line(refusal.description))
      }
    }
    return turn
  }

  /// Nobody would ever see what is over before it begins.
  /// - Parameter option: by which it was given.
  func checkIsAhead(_ end: LocalTime?, _ option: String) throws(CommandError) {
    guard let end, let date, end.instant <= date else { return }
    throw .wrongUsage("\(option) is over already: give a later time")
  }

  /// What is over by now is over in a list, too; nothing of that is stored.
  mutating func keepTime() { _ = messaging.step(.timePassed, at: BootClock.now, date: date) }

  /// Says on standard error what is news by it, and what of others was not done.
  func tell(_ turn: PeopleStepResult) {
    for news in turn.news where !isOwn(news) {
      StandardError.tell(news.text(messaging.contacts, me: me))
    }
    for refusal in turn.refusals { StandardError.tell(refusal.description) }
  }

  /// Whoever has changed or ended a group need not be told that.
  private func isOwn(_ news: PeopleNotification) -> Bool {
    switch news {
    case .group(let group, .changed), .group(let group, .ended): group.guide == me
    default: false
    }
  }

  /// Groups and meetings are made by messages that a broker keeps.
  func tellWithoutBroker() {
    guard !hasBroker else { return }
    StandardError.tell(
      "nobody else hears of it before there is a broker: set brokers in the section [uplink.mqtt], "
        + "and people = true there")
  }

  /// Says on standard error what cannot be read.
  func tellRemarks() {
    for remark in messaging.remarks { StandardError.tell(remark) }
  }
}

/// Something that the owner does.
struct PeopleAction {
  let event: PeopleEvent
  /// The letter, letterbox, group or meeting; nil for contacts.
  let subject: UniqueID?

  init(_ event: PeopleEvent, of subject: UniqueID?) {
    self.event = event
    self.subject = subject
  }
}

extension StoreOptions {
  func owner() throws -> BoardOwner {
    try BoardOwner(configuration.load().settings, from: configuration.file)
  }

  /// What is exchanged, as it stands now; says what cannot be read.
  func people() throws -> PeopleTable {
    let owner = try owner()
    var table: PeopleTable?
    try read {
      table = PeopleTable(owner, try $0.messages(), at: try $0.lastTrackPoint()?.location)
    }
    guard var table else { preconditionFailure("read returns after it has read") }
    table.tellRemarks()
    table.keepTime()
    return table
  }

  /// Does what is said of the store as it is at that moment, has it stored in the same transaction,
  /// and tells what else came of it. What is refused changes nothing.
  /// - Returns: how everything stands then.
  @discardableResult
  func perform(_ action: (PeopleTable) throws -> PeopleAction) throws -> PeopleTable {
    let done = try changePeople { table in
      let turn = try table.take(try action(table))
      return (turn.change, turn)
    }
    done.table.tell(done.outcome)
    return done.table
  }

  /// - Parameter body: returns what is to be stored, and what came of it.
  /// - Returns: what came of it, when it is stored.
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
      // Before the daemon is told that there is something new.
      _ = try result?.get()
    }
    guard let done = try result?.get() else {
      preconditionFailure("a change returns after it has been made")
    }
    return done
  }
}
