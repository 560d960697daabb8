import Core

/// A person's contacts with their names, and who may leave letters for this person (Landsmann 2013,
/// 4.2: "set privacy — define who is allowed to read what", and 4.4.2: the list of contacts).
public struct Contacts: Hashable, Sendable {
  /// Who may leave letters here.
  public enum Welcome: String, CaseIterable, Sendable {
    case everybody, contacts, nobody
  }

  /// Whether letters of a sender are accepted.
  enum SenderStatus: Hashable, Sendable {
    case welcome
    case blocked
    /// Only contacts may, and the sender is not one.
    case unknown
    /// Nobody may.
    case closed
  }

  static let most = 1000
  static let mostBlocked = 1000
  /// The length of a contact's name, in bytes.
  static let longestName = 200

  private var addresses: [String: PersonAddress] = [:]
  private var names: [PersonAddress: String] = [:]
  private var blockedAddresses: Set<PersonAddress> = []
  /// Who may leave letters here.
  public var welcome: Welcome

  public init(welcome: Welcome = .contacts) { self.welcome = welcome }

  // MARK: What is known

  var count: Int { addresses.count }
  /// By name.
  public var all: [(name: String, address: PersonAddress)] {
    addresses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
  public var blocked: [PersonAddress] { blockedAddresses.sorted() }

  public func address(of name: String) -> PersonAddress? { addresses[name] }
  public func contains(_ address: PersonAddress) -> Bool { names[address] != nil }
  public func name(of address: PersonAddress) -> String? { names[address] }

  /// Writing to oneself is always allowed: a note left at the shop.
  func status(on sender: PersonAddress, to owner: PersonAddress) -> SenderStatus {
    if sender == owner { return .welcome }
    if blockedAddresses.contains(sender) { return .blocked }
    switch welcome {
    case .everybody: return .welcome
    case .contacts: return names[sender] == nil ? .unknown : .welcome
    case .nobody: return .closed
    }
  }

  // MARK: What is changed

  /// - Throws: if the name or the address exists already, or there are too many; nothing is
  ///   changed.
  public mutating func add(_ name: String, _ address: PersonAddress) throws(MessageError) {
    try MessageCheck.name(name, atMost: Self.longestName, at: "name")
    if let other = addresses[name] {
      throw MessageError("\(Quoted.text(name)) is \(other) already: use another name", at: "name")
    }
    if let other = names[address] {
      throw MessageError(
        "\(address) is a contact already, \(Quoted.text(other)): rename that contact",
        at: "address")
    }
    guard addresses.count < Self.most else {
      throw MessageError("the maximum of \(Self.most) contacts is reached: remove some")
    }
    addresses[name] = address
    names[address] = name
  }

  public mutating func rename(_ name: String, to other: String) throws(MessageError) {
    guard let address = addresses[name] else { throw Self.missing(name) }
    var changed = self
    try changed.remove(name)
    try changed.add(other, address)
    self = changed
  }

  public mutating func remove(_ name: String) throws(MessageError) {
    guard let address = addresses.removeValue(forKey: name) else { throw Self.missing(name) }
    names[address] = nil
  }

  /// A blocked contact stays a contact. Blocking twice changes nothing.
  public mutating func block(_ address: PersonAddress) throws(MessageError) {
    guard blockedAddresses.count < Self.mostBlocked || blockedAddresses.contains(address) else {
      throw MessageError(
        "the maximum of \(Self.mostBlocked) blocked people is reached: accept letters only from "
          + "contacts, or unblock some people")
    }
    blockedAddresses.insert(address)
  }

  public mutating func unblock(_ address: PersonAddress) throws(MessageError) {
    guard blockedAddresses.remove(address) != nil else {
      throw MessageError("\(address) is not blocked: check the spelling", at: "address")
    }
  }

  private static func missing(_ name: String) -> MessageError {
    MessageError("no contact is called \(Quoted.text(name)): check the spelling", at: "name")
  }
}

extension Contacts {
  /// As the store keeps them.
  var bytes: [UInt8] {
    var writer = MessageWriter("contacts")
    writer.add("welcome", welcome.rawValue)
    writer.add(
      "contacts",
      all.map { name, address in
        var one = MessageWriter()
        one.add("name", name)
        one.add("address", address)
        return one
      })
    writer.add("blocked", blocked)
    return writer.bytes
  }

  /// In bytes; a name can take six times its length when JSON escapes every character.
  private static let longest = most * (6 * longestName + 200) + mostBlocked * 70

  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: Self.longest)
    try reader.expect("contacts")
    self.init(welcome: try reader.word("welcome"))
    for (index, part) in try reader.parts("contacts").enumerated() {
      let (name, address) = (try part.text("name"), try part.person("address"))
      do { try add(name, address) } catch { throw error.within("contacts[\(index)]") }
    }
    for address in try reader.people("blocked") { try block(address) }
  }
}
