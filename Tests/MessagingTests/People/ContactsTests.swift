import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct ContactsTests {
  private let anna = try! PersonAddress("anna")
  private let ben = try! PersonAddress("ben")
  private let carl = try! PersonAddress("carl")

  private func contacts() throws -> Contacts {
    var contacts = Contacts()
    try contacts.add("My brother", ben)
    return contacts
  }

  @Test("a name has one address, and an address one name") func unique() throws {
    var contacts = try contacts()
    #expect(contacts.address(of: "My brother") == ben && contacts.name(of: ben) == "My brother")
    let before = contacts
    #expect(
      thrown(MessageError.self) { try contacts.add("My brother", carl) }?.description
        == "name: \"My brother\" is ben already: use another name")
    #expect(
      thrown(MessageError.self) { try contacts.add("Ben", ben) }?.description
        == "address: ben is a contact already, \"My brother\": rename that contact")
    #expect(contacts == before)
  }

  @Test("a renamed contact keeps its address, and the name of a removed one is free again")
  func change() throws {
    var contacts = try contacts()
    try contacts.rename("My brother", to: "Ben")
    #expect(contacts.address(of: "My brother") == nil && contacts.name(of: ben) == "Ben")
    try contacts.add("Carl", carl)
    let before = contacts
    thrown(MessageError.self) { try contacts.rename("Ben", to: "Carl") }
    #expect(contacts == before)
    try contacts.remove("Ben")
    try contacts.add("B.", ben)
    #expect(contacts.all.map(\.name) == ["B.", "Carl"])
    thrown(MessageError.self) { try contacts.remove("Ben") }
  }

  @Test("contacts may leave letters, unknown people may not, and blocked people never")
  func verdict() throws {
    var contacts = try contacts()
    #expect(contacts.status(on: ben, to: anna) == .welcome)
    #expect(contacts.status(on: carl, to: anna) == .unknown)
    contacts.welcome = .everybody
    #expect(contacts.status(on: carl, to: anna) == .welcome)
    try contacts.block(ben)
    try contacts.block(ben)
    #expect(contacts.status(on: ben, to: anna) == .blocked && contacts.blocked == [ben])
    contacts.welcome = .nobody
    #expect(contacts.status(on: carl, to: anna) == .closed)
    #expect(contacts.status(on: anna, to: anna) == .welcome, "a note to oneself")
    try contacts.unblock(ben)
    thrown(MessageError.self) { try contacts.unblock(ben) }
    #expect(contacts.status(on: ben, to: anna) == .closed)
  }

  @Test("there is room for a thousand contacts and a thousand blocked people") func bounded()
    throws
  {
    var contacts = Contacts()
    for index in 0..<1000 {
      try contacts.add("\(index)", PersonAddress("p\(index)"))
      try contacts.block(PersonAddress("q\(index)"))
    }
    let error = thrown(MessageError.self) { try contacts.add("more", ben) }
    #expect(error?.description.contains("remove some") == true)
    thrown(MessageError.self) { try contacts.block(ben) }
    #expect(contacts.count == 1000 && contacts.blocked.count == 1000)
    #expect(try Contacts(contacts.bytes) == contacts)
  }

  @Test("stored contacts are read as they were written") func stored() throws {
    var contacts = try contacts()
    try contacts.block(carl)
    contacts.welcome = .everybody
    #expect(
      String(decoding: contacts.bytes, as: UTF8.self)
        == "{\"type\":\"contacts\",\"version\":1,\"welcome\":\"everybody\",\"contacts\":"
        + "[{\"name\":\"My brother\",\"address\":\"ben\"}],\"blocked\":[\"carl\"]}")
    #expect(try Contacts(contacts.bytes) == contacts)
    #expect(try Contacts(Contacts().bytes) == Contacts())
  }

  @Test("invalid contacts are an error with its place") func damaged() throws {
    func error(_ text: String) -> String? {
      thrown(MessageError.self) { try Contacts(Array(text.utf8)) }?.description
    }
    let start = "{\"type\":\"contacts\",\"version\":1,"
    #expect(
      error(start + "\"welcome\":\"friends\"}")
        == "welcome: one of everybody, contacts, nobody is expected")
    #expect(
      error(
        start + "\"welcome\":\"nobody\",\"contacts\":[{\"name\":\"x\",\"address\":\"X\"}]}")?
        .hasPrefix("contacts[0].address: \"X\" does not begin") == true)
    #expect(
      error(
        start + "\"welcome\":\"nobody\",\"contacts\":[{\"name\":\" \",\"address\":\"x\"}]}")
        == "contacts[0].name: it is empty: write a name")
  }

  @Test("without room unknown people give way before contacts, and the largest share first")
  func room() throws {
    let contacts = try contacts()
    let dora = try PersonAddress("dora")
    func first(_ holders: [PersonAddress]) -> Set<PersonAddress> {
      Set(contacts.firstToGo(of: holders, for: anna) { $0 })
    }
    #expect(first([anna, ben, ben, ben, carl, carl, dora]) == [carl])
    #expect(first([anna, ben, ben, carl, dora]) == [carl, dora])
    #expect(first([anna, anna, ben, ben, ben]) == [ben], "one is no stranger to oneself")
    #expect(first([]).isEmpty)
    #expect(contacts.isUnknown(carl, to: anna) && !contacts.isUnknown(ben, to: anna))
  }
}
