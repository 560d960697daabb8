import Config
import Core
import TestSupport
import Testing

@testable import Delivery

@Suite struct MQTTSettingsTests {
  private static func read(_ lines: String) throws -> UplinkSettings {
    try Configuration<UplinkSettings>(
      settings: SettingsFile(
        name: "test.toml", bytes: Array("[uplink.mqtt]\n\(lines)\n".utf8))
    ).settings
  }

  @Test("without a broker there are no recipients; with one, OwnTracks is a recipient")
  func recipients() throws {
    #expect(try !Self.read("collector = true").isOn)
    #expect(try Self.read("brokers = \"mqtt://a\"").recipients == [.owntracks])
    let both = try Self.read("brokers = [\"mqtt://a\", \"mqtts://b:1\"]\ncollector = true")
    #expect(both.recipients == [.owntracks, .collector])
    #expect(both.mqtt.brokers.map(\.description) == ["mqtt://a:1883", "mqtts://b:1"])
    let none = try Self.read("brokers = \"mqtt://a\"\nowntracks = false")
    #expect(!none.isOn)
  }

  private static let conflicts = [
    ("certificate_file = \"/a\"", "key_file"), ("key_file = \"/a\"", "certificate_file"),
    ("psk_identity = \"a\"", "psk_file"), ("psk_file = \"/a\"", "psk_identity"),
    ("password_file = \"/a\"", "has no effect without user"),
    (
      "psk_file = \"/a\"\npsk_identity = \"a\"\ncertificate_file = \"/b\"\nkey_file = \"/c\"",
      "choose one"
    ),
    ("brokers = [\"mqtt://a\", \"b\"]", "brokers[2] must begin with"),
    ("brokers = \"mqtt://ann:secret@a\"", "password_file"),
  ]

  @Test("conflicting settings are reported", arguments: conflicts)
  func conflict(lines: String, told: String) {
    let error = thrown(SettingsError.self) { try Self.read(lines) }
    #expect(error?.description.contains(told) == true, "\(String(describing: error))")
    #expect(error?.description.contains("secret") == false)
  }
}
