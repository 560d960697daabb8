import Messaging
import Core

/// The outcome of a letter for one addressee.
struct ListedOutcome: Sendable {
  private let address: String
  /// Nil: the person is no contact.
  private let name: String?
  private let displayName: String
  private let state: String
  private let reason: String?

  private init(_ person: PersonAddress, _ state: String, _ reason: String?, _ names: PeopleNames) {
    address = person.description
    name = names.name(of: person)
    displayName = names.text(of: person)
    self.state = state
    self.reason = reason
  }

  /// For a letter to everybody that has not been found.
  private init(ofEverybody state: String) {
    address = PeopleNames.everybody
    name = nil
    displayName = PeopleNames.everybody
    self.state = state
    reason = nil
  }

  private static let waiting = "waiting"

  /// Whether an address exists is unknown, so an addressee without a receipt counts as waiting.
  static func all(of outgoing: OutgoingLetter, _ names: PeopleNames) -> [ListedOutcome] {
    let outcomes = outgoing.outcomes.sorted { $0.key < $1.key }.map { person, outcome in
      ListedOutcome(person, outcome.rawValue, outgoing.reasons[person], names)
    }
    guard !outgoing.isCleared else { return outcomes }
    switch outgoing.letter.to {
    case .people(let people):
      let silent = people.filter { outgoing.outcomes[$0] == nil }
      return outcomes + silent.map { ListedOutcome($0, waiting, nil, names) }
    case .everybody: return outcomes.isEmpty ? [ListedOutcome(ofEverybody: waiting)] : outcomes
    }
  }

  /// "Ben: delivered", "Carl: refused, the letterbox is not known"
  var text: String {
    let reason = reason.map { ", \($0)" } ?? ""
    return "\(displayName): \(state)\(reason)"
  }

  var json: JSONValue {
    func value(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    return .object([
      (name: "address", value: value(address)), (name: "name", value: value(name)),
      (name: "state", value: value(state)), (name: "reason", value: value(reason)),
    ])
  }
}
