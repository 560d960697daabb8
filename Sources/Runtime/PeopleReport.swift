import Notation

/// What `status` says of letters, groups and meetings.
struct PeopleReport {
  private let driver: PeopleDriver

  init(_ driver: PeopleDriver) { self.driver = driver }

  var json: JSONValue {
    let letters = driver.letters
    return .object([
      ("address", .string("\(driver.address)")),
      ("letters_waiting", .count(letters.waiting)), ("letters_unread", .count(letters.unread)),
      ("groups", .array(driver.groups.map { .string($0) })),
      ("meetings", .array(driver.meetings.map { .string($0) })),
      ("messages_to_send", .count(driver.pending)),
    ])
  }
}
