import ArgumentParser
import Messaging
import Core

/// The names of people for the owner: those of the contacts, else their addresses.
struct PeopleNames {
  private let contacts: Contacts
  let me: PersonAddress

  init(_ contacts: Contacts, me: PersonAddress) {
    self.contacts = contacts
    self.me = me
  }

  // MARK: Read

  /// - Parameter words: a contact's name, case-insensitive, or an address.
  func person(_ words: String) throws(CommandError) -> PersonAddress {
    if let address = contacts.address(of: words) { return address }
    let key = words.lowercased()
    let meant = contacts.all.filter { $0.name.lowercased() == key }
    if meant.count == 1 { return meant[0].address }
    do throws(MessageError) { return try PersonAddress(words) } catch {
      throw .failed(
        "no contact is called \"\(TerminalText.line(words))\", and it is not an address: "
          + "\(error); `godwit contacts` lists your contacts")
    }
  }

  /// - Parameter words: one, or several separated by commas.
  func people(_ words: String) throws(CommandError) -> [PersonAddress] {
    // A name may contain a comma.
    if let address = contacts.address(of: words) { return [address] }
    var people: [PersonAddress] = []
    for word in words.split(separator: ",") {
      people.append(try person(word.trimmed))
    }
    return people
  }

  /// - Parameter words: nil also means everybody.
  func addressees(_ words: String?) throws(CommandError) -> Addressees {
    guard let words, words != Self.everybody else { return .everybody }
    return .people(try people(words))
  }

  static let everybody = "everybody"
  static let help = "names of contacts or addresses, separated by commas, or everybody"

  // MARK: Printed

  /// Nil if the person is no contact.
  func name(of person: PersonAddress) -> String? { contacts.name(of: person) }

  func text(of person: PersonAddress) -> String {
    name(of: person) ?? (person == me ? "you" : "\(person)")
  }

  func text(of addressees: Addressees) -> String {
    switch addressees {
    case .everybody: Self.everybody
    case .people(let people): people.map(text).joined(separator: ", ")
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}

extension Addressees {
  /// For programs.
  var addresses: [String] {
    switch self {
    case .everybody: [PeopleNames.everybody]
    case .people(let people): people.map(\.description)
    }
  }
}

extension CommandError {
  /// Reports invalid values of a letter, a group or the like as wrong usage.
  static func usage<Made>(
    _ make: () throws(MessageError) -> Made
  ) throws(CommandError) -> Made {
    do { return try make() } catch { throw .wrongUsage(TerminalText.line(error.description)) }
  }
}
