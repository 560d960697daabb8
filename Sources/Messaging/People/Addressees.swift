import Core

/// The audience of something: the addressees of a letter, the people of a letterbox, the people who
/// may see a group or a meeting and join it (Chughtai 2015, 4.2.5: the visibility group).
public enum Addressees: Hashable, Sendable {
  /// At least one, each once.
  case people([PersonAddress])
  case everybody

  /// Whether the person is among them.
  public func include(_ person: PersonAddress) -> Bool {
    switch self {
    case .everybody: true
    case .people(let people): people.contains(person)
    }
  }

  /// - Parameter most: the number of people who may be named.
  func check(atMost most: Int, at path: String) throws(MessageError) {
    guard case .people(let people) = self else { return }
    try MessageCheck.people(people, 1...most, at: path)
  }

  // MARK: "everybody", an address, or a list of them

  init(_ reader: MessageReader, _ name: String) throws(MessageError) {
    if reader[name]?.string == Self.word {
      self = .everybody
    } else if let text = reader[name]?.string {
      do { self = .people([try PersonAddress(text)]) } catch { throw error.within(name) }
    } else {
      self = .people(try reader.people(name))
    }
  }

  func write(_ name: String, into writer: inout MessageWriter) {
    switch self {
    case .everybody: writer.add(name, Self.word)
    case .people(let people): writer.add(name, people)
    }
  }

  private static let word = "everybody"

  // MARK: A missing member means everybody

  init(ifAny reader: MessageReader, _ name: String) throws(MessageError) {
    self = reader.has(name) ? try Addressees(reader, name) : .everybody
  }

  func writeIfNamed(_ name: String, into writer: inout MessageWriter) {
    if case .people(let people) = self { writer.add(name, people) }
  }
}
