import Core

/// A named place where letters for some people are collected: each of them receives all letters
/// waiting there on arrival (Landsmann 2013, 4.2: "create digital letterboxes at places where
/// letters can be submitted").
public struct Letterbox: Hashable, Sendable {
  public let id: UniqueID
  public let owner: PersonAddress
  /// Incremented with every change, from 1: an older revision that arrives late is ignored.
  public let revision: Int
  public let name: String
  /// Who can open it.
  public let people: Addressees
  /// Who may put letters in; nil: everybody who knows the box, which includes those who can open
  /// it. Boards without support for this list open the box all the same, and refuse one they may
  /// only write to.
  public let writers: Addressees?
  public let circle: LetterCircle

  public init(
    id: UniqueID, owner: PersonAddress, revision: Int = 1, name: String, for people: Addressees,
    from writers: Addressees? = nil, at circle: LetterCircle
  ) throws(MessageError) {
    guard revision >= 1 else {
      throw MessageError("\(revision) is not a valid revision: use at least 1", at: "revision")
    }
    try MessageCheck.name(name, atMost: MessagingLimits.name, at: "name")
    try people.check(atMost: MessagingLimits.addressees, at: "for")
    self.id = id
    self.owner = owner
    self.revision = revision
    self.name = name
    try writers?.check(atMost: MessagingLimits.addressees, at: "from")
    self.people = people
    self.writers = writers
    self.circle = circle
  }

  /// Whether the person may know of it.
  public func concerns(_ person: PersonAddress) -> Bool {
    person == owner || people.include(person) || writers?.include(person) ?? false
  }

  /// The owner always may.
  public func accepts(from person: PersonAddress) -> Bool {
    person == owner || writers?.include(person) ?? true
  }

  /// Whether a person who opens it finds a letter of the given writer in it.
  func delivers(to person: PersonAddress, from writer: PersonAddress) -> Bool {
    people.include(person) && accepts(from: writer)
  }

  // MARK: JSON

  static let type = "letterbox"

  init(_ reader: MessageReader) throws(MessageError) {
    try self.init(
      id: try reader.id("id"), owner: try reader.person("owner"),
      revision: try reader.integer("revision", MessagingLimits.revisions),
      name: try reader.text("name"), for: try Addressees(reader, "for"),
      from: reader.has("from") ? try Addressees(reader, "from") : nil, at: try LetterCircle(reader))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("id", id)
    writer.add("owner", owner)
    writer.add("revision", revision)
    writer.add("name", name)
    people.write("for", into: &writer)
    writers?.write("from", into: &writer)
    circle.write(into: &writer)
    return writer
  }
}
