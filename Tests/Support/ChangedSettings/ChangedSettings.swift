import Config
import GodwitSettings
import Core

/// A value for each setting that is not its default.
public enum ChangedSettings {
  private struct NoCandidate: Error { let key: String }

  private static let declared = DeclaredSettings(in: Settings())

  /// A valid value of the setting that is not its default.
  public static func otherValue(of setting: Setting) throws -> WrittenValue {
    let candidates = [
      "0", "1", "3", "7.5", "20", "100", "9600", "true", "false", "\"none\"", "\"gpsd\"",
      "\"virtual\"", "\"periodic\"", "\"ina219\"", "\"other\"", "\"elsewhere\"", "\"keep\"",
      "\"on\"", "\"rising\"", "\"modem-manager\"", "\"geoclue2\"", "\"exact\"",
      "\"policy\"", "\"plain\"", "\"published\"", "2027-01-01", "\"mqtt://broker\"",
      "\"https://example.org\"", "\"08:00-18:00\"", "\"read\"", "\"bluez\"", "\"discovery\"",
      "\"always\"", "\"never\"",
    ]
    for text in candidates + [table(of: setting)].compactMap({ $0 }) {
      let value = try TOMLParser.parseValue(text, file: "candidate")
      var changed = Settings()
      do { try changed.set(setting.key, value) } catch { continue }
      if changed.value(of: setting.key) != setting.value { return value }
    }
    throw NoCandidate(key: setting.key)
  }

  /// One table with its required keys, if the setting is a list of tables.
  private static func table(of setting: Setting) -> String? {
    let section = declared.sections.first { $0.name == setting.key }
    guard let needed = section?.fields?.filter({ $0.builtIn == nil }) else { return nil }
    let members = needed.map {
      "\($0.name) = \($0.accepts.hasPrefix("text") ? "\"elsewhere\"" : "20")"
    }
    return "[{ \(members.joined(separator: ", ")) }]"
  }
}
