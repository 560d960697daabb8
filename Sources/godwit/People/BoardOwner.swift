import GodwitSettings
import People

/// Whose the board is among people, by its settings.
struct BoardOwner {
  let address: PersonAddress
  /// Whether anybody takes what is to be sent: without a broker, letters go by files alone.
  let hasBroker: Bool

  init(_ settings: Settings) throws(CommandError) {
    guard let address = settings.people.address else {
      throw .wrongUsage(
        "nobody is known to own this board, and nothing is exchanged: write the address under "
          + "which others are to know you into the settings, as address = \"anna\" in the section "
          + "[people]")
    }
    self.address = address
    hasBroker = settings.uplink.carriesMessages
  }
}
