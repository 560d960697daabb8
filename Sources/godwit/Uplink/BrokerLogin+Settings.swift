import Delivery
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

extension BrokerLogin {
  /// Reads the secrets from their files.
  ///
  /// - Parameters:
  ///   - program: the program that connects to the broker.
  ///   - device: the board's name.
  init(_ settings: MQTTSettings, of program: String = "godwit", device: String) throws {
    let given = settings.clientID
    // Boards of several people have the same name if their images are copies of one.
    let own = ([program, settings.account, device] as [String?]).compactMap {
      $0.map(BrokerTopic.level)
    }
    self.init(
      clientID: given.isEmpty ? own.joined(separator: "-") : given,
      user: settings.username,
      password: try settings.passwordFile.map {
        try Secret(fileOf: "uplink.mqtt.password_file", $0)
      }, authoritiesFile: settings.tls.authoritiesFile)
    if let file = settings.tls.certificateFile, let key = settings.tls.keyFile {
      identity = .certificate(file: file, key: key)
    }
    if let name = settings.sharedKeyIdentity, let file = settings.sharedKeyFile {
      let key = try Secret(fileOf: "uplink.mqtt.psk_file", file)
      guard !key.text.isEmpty, key.text.allSatisfy(\.isHexDigit) else {
        throw CommandError.wrongUsage(
          "uplink.mqtt.psk_file: \(file) must contain only hexadecimal digits")
      }
      identity = .sharedKey(identity: name, key: key)
    }
  }
}

extension Secret {
  private static let longest = 1024  // bytes

  /// Reads the only line of a file.
  ///
  /// - Parameter setting: the setting with the path.
  init(fileOf setting: String, _ path: String) throws {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemFiles.bytes(of: path, atMost: Self.longest + 2)
    } catch {
      let isGone = error.code == ENOENT && path.hasPrefix("/run/credentials/")
      throw CommandError.failed(
        "\(setting): \(path) cannot be read (\(error.text))"
          + (isGone ? "; a systemd credential exists only while its service runs" : ""))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError.failed("\(setting): \(path) is not text")
    }
    let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard !line.isEmpty, line.utf8.count <= Self.longest else {
      throw CommandError.failed(
        "\(setting): \(path) must have one line of 1 to \(Self.longest) bytes")
    }
    guard !TerminalText.hasControlCharacter(line) else {
      throw CommandError.failed(
        "\(setting): \(path) has more than one line, or a control character")
    }
    self.init(line)
  }
}
