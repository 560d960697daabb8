import People

/// Who may see a group or a meeting, and join it (Chughtai 2015, 4.2.5: the visibility group).
public enum Admission: Hashable, Sendable {
  /// Anyone who is nearby.
  case everybody
  /// Those who are named, each once.
  case only([PersonAddress])

  public func admits(_ person: PersonAddress) -> Bool {
    switch self {
    case .everybody: true
    case .only(let people): people.contains(person)
    }
  }

  func check(at path: String) throws(MessageError) {
    guard case .only(let people) = self else { return }
    try MessageCheck.people(people, 1...GroupLimits.people, at: path)
  }

  // MARK: A list of addresses; missing for everybody

  init(_ reader: MessageReader, _ name: String) throws(MessageError) {
    self = try reader.peopleIfAny(name).map { .only($0) } ?? .everybody
  }

  func write(_ name: String, into writer: inout MessageWriter) {
    if case .only(let people) = self { writer.add(name, people) }
  }
}
