import GodwitSettings
import Messaging

/// Whose the board is among people, by its settings.
struct BoardOwner {
  let address: PersonAddress
  /// Whether anybody takes what is to be sent: without a broker, letters go by files alone.
  let hasBroker: Bool

  /// - Parameter file: that the settings were read from, or would have been.
  init(_ settings: Settings, from file: String) throws(CommandError) {
    guard let address = settings.people.address else {
      throw .wrongUsage(
        "nobody is known to own this board, and nothing is exchanged: write the address under "
          + "which others are to know you into \(file), as address = \"anna\" in the section "
          + "[people], or name other settings with --config")
    }
    self.address = address
    hasBroker = settings.uplink.carriesMessages
  }
}
