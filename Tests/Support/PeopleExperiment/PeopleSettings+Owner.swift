import Messaging
import Core

extension PeopleSettings {
  /// As a settings file gives them whose board is this person's.
  public init(address: PersonAddress) {
    self.init { settings in
      try! settings.set("people.address", WrittenValue(.string("\(address)"), line: 1))
    }
  }
}
