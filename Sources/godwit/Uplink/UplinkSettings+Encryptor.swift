import Delivery
import Ports
import Transports

extension UplinkSettings {
  /// What encrypts OwnTracks' messages, with the pass phrase from its file; nil: nothing does.
  func encryptor() throws -> (any EncryptorPort)? {
    guard let encryptedFile else { return nil }
    do {
      return try SodiumEncryptor(
        passphrase: Secret(fileOf: "uplink.owntracks_key_file", encryptedFile))
    } catch let error as PortError {
      throw CommandError.failed("uplink.owntracks_key_file: \(error.message)")
    }
  }
}
