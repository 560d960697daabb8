import Notation
import People

/// To whom a letter is, and for whom a letterbox.
public enum Addressees: Hashable, Sendable {
  /// At least one, each once.
  case people([PersonAddress])
  case everybody

  /// Whether it is this person's.
  public func include(_ person: PersonAddress) -> Bool {
    switch self {
    case .everybody: true
    case .people(let people): people.contains(person)
    }
  }

  func check(at path: String) throws(MessageError) {
    guard case .people(let people) = self else { return }
    try MessageCheck.people(people, 1...LetterLimits.people, at: path)
  }

  // MARK: "everybody", or a list of addresses

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

  static let word = "everybody"
}
