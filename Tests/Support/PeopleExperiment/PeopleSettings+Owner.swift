import Messaging
import Core

extension PeopleSettings {
  /// As in the settings file of this person's board.
  public init(address: PersonAddress) {
    self.init { settings in
      try! settings.set("people.address", WrittenValue(.string("\(address)"), line: 1))
    }
  }
}
