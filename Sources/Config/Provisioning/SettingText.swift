import Core

/// Quotes a text from the boot file in a sentence for people.
enum SettingText {
  static func quoted(_ text: String) -> String { SettingValue.text(text).toml }
}
