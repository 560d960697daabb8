import Delivery
import Ports
import Transports

extension UplinkSettings {
  /// Encrypts OwnTracks messages with the passphrase from its file; nil: they are not encrypted.
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
