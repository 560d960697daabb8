import Core

/// The part of `status` on letters, groups and meetings.
struct PeopleReport {
  private let driver: PeopleDriver
  private let now: BootInstant

  init(_ driver: PeopleDriver, at now: BootInstant) {
    self.driver = driver
    self.now = now
  }

  var json: JSONValue {
    let letters = driver.letters
    return .object([
      ("address", .string("\(driver.address)")),
      ("letters_waiting", .count(letters.waiting)), ("letters_unread", .count(letters.unread)),
      ("groups", .array(driver.groups.map { .string($0) })),
      ("meetings", .array(driver.meetings(at: now).map { .string($0) })),
      ("messages_to_send", .count(driver.pending)),
    ])
  }
}
