import Core

/// A network as a connection profile of NetworkManager.
struct NetworkProfile {
  static let folder = "etc/NetworkManager/system-connections"
  private static let prefix = "godwit-"
  private static let suffix = ".nmconnection"

  private let network: WiFiNetwork
  /// NetworkManager tries the highest first.
  private let priority: Int

  init(_ network: WiFiNetwork, priority: Int) {
    self.network = network
    self.priority = priority
  }

  static func isOurs(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

  /// Readable by root only: NetworkManager rejects other modes.
  var file: SystemFile {
    SystemFile("\(Self.folder)/\(name)", .file(Array(text.utf8), mode: 0o600))
  }

  /// Depends on the network only, not on its position in the list.
  var name: String { "\(Self.prefix)\(uuid.prefix(8))\(Self.suffix)" }

  var text: String {
    var file = KeyFile()
    file.group("connection")
    file.add("id", TerminalText.line(network.name))
    file.add("uuid", uuid)
    file.add("type", "wifi")
    file.add("autoconnect-priority", "\(priority)")
    file.group("wifi")
    file.add("mode", "infrastructure")
    file.add("ssid", bytes: network.name.utf8)
    if network.isHidden { file.add("hidden", "true") }
    if let password = network.password {
      file.group("wifi-security")
      file.add("key-mgmt", network.security == .wpa3 ? "sae" : "wpa-psk")
      file.add("psk", password)
    }
    file.group("ipv4")
    file.add("method", "auto")
    file.group("ipv6")
    file.add("method", "auto")
    return file.text
  }

  /// Version 8, for custom digests (RFC 9562, section 5.8).
  private var uuid: String {
    var digest = SHA256()
    digest.update(Array("godwit wifi \(network.name)".utf8))
    var bytes = Array(digest.digestBytes.prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }
}
