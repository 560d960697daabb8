import Config
import Core

@testable import Delivery

/// Settings from text as a user writes them.
enum UplinkSettingsReading {
  static func read(_ text: String) throws -> UplinkSettings {
    try Configuration<UplinkSettings>(
      settings: SettingsFile(name: "test.toml", bytes: Array(text.utf8))
    ).settings
  }
}
