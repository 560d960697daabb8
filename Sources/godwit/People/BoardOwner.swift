import GodwitSettings
import Messaging

/// The owner of the board, from its settings.
struct BoardOwner {
  let address: PersonAddress
  /// Without a broker, letters are exchanged through files alone.
  let hasBroker: Bool

  /// - Parameter file: the path of the settings file, which need not exist.
  init(_ settings: Settings, from file: String) throws(CommandError) {
    guard let address = settings.people.address else {
      throw .wrongUsage(
        "this board has no owner, so it exchanges nothing: choose your address for others and "
          + "write it into \(file), as address = \"anna\" in the section [people], or name "
          + "other settings with --config")
    }
    self.address = address
    hasBroker = settings.uplink.sendsPeerMessages
  }
}
