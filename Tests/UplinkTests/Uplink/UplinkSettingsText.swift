import Config
import Delivery
import Core

/// Settings as a user writes them.
enum UplinkSettingsText {
  static func read(_ text: String) throws -> UplinkSettings {
    try Configuration<UplinkSettings>(
      settings: SettingsFile(name: "test.toml", bytes: Array(text.utf8))
    ).settings
  }
}
