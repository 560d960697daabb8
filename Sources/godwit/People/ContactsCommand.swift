import ArgumentParser
import Messaging
import Formats
import Core

/// `godwit contacts`: the owner's contacts, and who may leave letters.
struct ContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Manage contacts and who may send you letters.",
    discussion: """
      A contact is an address with a name of your choice. All commands accept either. Contacts \
      stay in the store of this board.
      """,
    subcommands: [
      ContactsListCommand.self, ContactsAddCommand.self, ContactsEditCommand.self,
      ContactsRemoveCommand.self, ContactsBlockCommand.self, ContactsUnblockCommand.self,
      ContactsAllowCommand.self,
    ], defaultSubcommand: ContactsListCommand.self)
}

/// `godwit contacts list`: the contacts, and who is blocked.
struct ContactsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the contacts, and blocked senders.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let contacts = try store.people().messaging.contacts
    let rows = ListedContact.all(of: contacts)
    guard json else {
      var listing = Listing(.table, ListedContact.columns, fitsRows: true)
      for row in rows { try listing.add(row) }
      try listing.finish()
      return try OutputBytes.print("Letters are accepted from \(contacts.welcome.rawValue).")
    }
    var writer = JSONWriter()
    writer.object { json in
      json.field("welcome", contacts.welcome.rawValue)
      json.array("contacts") { json in
        for row in rows { ListedContact.columns.append(row, to: &json) }
      }
    }
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// `godwit contacts add`: adds a contact.
struct ContactsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a contact.")

  @Argument(help: "Your name for the person.") var name: String
  @Argument(help: "The person's address: lower-case ASCII letters, digits, - and _.")
  var address: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let person = try CommandError.usage { () throws(MessageError) in
      do throws(MessageError) { return try PersonAddress(address) } catch {
        throw error.within("address")
      }
    }
    try store.editContacts { (contacts, _) throws(MessageError) in
      try contacts.add(name, person)
    }
  }
}

/// `godwit contacts edit`: renames a contact; its address stays.
struct ContactsEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Rename a contact.")

  @Argument(help: "Name or address of the contact.") var contact: String
  @Argument(help: "New name.") var name: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.editContacts { (contacts, _) throws(MessageError) in
      try contacts.rename(contacts.resolvedName(by: contact), to: name)
    }
  }
}

/// `godwit contacts remove`: removes a contact.
struct ContactsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a contact.",
    discussion: """
      If you accept letters only from contacts, waiting letters of that person are not delivered \
      any more. Delivered letters stay.
      """)

  @Argument(help: "Name or address of the contact.") var contact: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.editContacts { (contacts, _) throws(MessageError) in
      try contacts.remove(contacts.resolvedName(by: contact))
    }
  }
}

/// `godwit contacts block`: rejects everything from a person.
struct ContactsBlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "block", abstract: "Block a sender.",
    discussion: "The person is not notified.")

  @Argument(help: "Name of a contact, or an address.") var person: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.editContacts { contacts, names in
      let address = try names.person(person)
      guard address != names.me else {
        throw CommandError.failed("\(address) is your own address: name another person")
      }
      try CommandError.usage { () throws(MessageError) in try contacts.block(address) }
    }
  }
}

/// `godwit contacts unblock`: ends the blocking.
struct ContactsUnblockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Unblock a sender.")

  @Argument(help: "Name of a contact, or an address.") var person: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.editContacts { contacts, names in
      let address = try names.person(person)
      try CommandError.usage { () throws(MessageError) in try contacts.unblock(address) }
    }
  }
}

/// `godwit contacts allow`: who may leave letters.
struct ContactsAllowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Choose who may send you letters.",
    discussion: """
      Default: contacts. With everybody, you also find letters that are left for everybody. A \
      blocked sender is never accepted.
      """)

  @Argument(help: "Accepted senders: everybody, contacts or nobody.") var whom: Contacts.Welcome
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.editContacts { contacts, _ in contacts.welcome = whom }
  }
}

extension Contacts.Welcome: ExpressibleByArgument {}

extension Contacts {
  /// - Parameter words: a name, or the address of a contact.
  fileprivate func resolvedName(by words: String) -> String {
    if address(of: words) != nil { return words }
    return (try? PersonAddress(words)).flatMap { name(of: $0) } ?? words
  }
}

extension StoreOptions {
  fileprivate func editContacts(_ body: (inout Contacts, PeopleNames) throws -> Void) throws {
    try perform { table in
      var contacts = table.messaging.contacts
      do { try body(&contacts, table.names) } catch let error as MessageError {
        throw CommandError.failed(error.description)
      }
      return PeopleAction(.contacts(contacts), of: nil)
    }
  }
}
