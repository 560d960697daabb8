import ChangedSettings
import Config
import GodwitSettings
import Core
import TestSupport
import Testing

@Suite struct SettingSectionTests {
  static let declared = DeclaredSettings(in: Settings())
  static let settings = declared.settings

  /// The file printed by `config default` contains exactly the defaults.
  @Test("the default file sets every setting to its default")
  func defaultFileEqualsDefaults() throws {
    let text = SettingsText.render(Settings())
    let configuration = try Configuration<Settings>(
      settings: SettingsFile(name: "default.toml", bytes: Array(text.utf8)))
    #expect(configuration.settings == Settings())
    for setting in Self.settings {
      // An empty list of tables is shown as a comment, because there is no table to write.
      let isTold =
        setting.value == .tables([])
        ? text.contains("[[\(setting.key)]]") : configuration.origin(of: setting.key) != .builtIn
      #expect(isTold, "\(setting.key) is not in the file")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("every setting is explained with its accepted values") func everySettingIsExplained() {
    for section in Self.declared.sections {
      #expect(section.doc.last == ".")
      for setting in section.settings {
        #expect(setting.doc.last == "." && setting.doc.count >= 20, "\(setting.key)")
        #expect(!setting.accepts.isEmpty)
      }
    }
    #expect(Set(Self.declared.sections.map(\.name)).count == Self.declared.sections.count)
  }

  /// No two settings share a property: setting one changes only its own value.
  @Test("no two settings set the same property") func everySettingHasItsOwnPlace() throws {
    for setting in Self.settings {
      var changed = Settings()
      try changed.set(setting.key, ChangedSettings.otherValue(of: setting))
      let differing = Self.settings.filter { changed.value(of: $0.key) != $0.value }
      #expect(differing.map(\.key) == [setting.key])
    }
  }

  /// No setting accepts a value far out of every range or of no valid type, and the refusal names
  /// the accepted values.
  @Test(
    "no setting accepts absurd values, and the refusal names the accepted ones",
    arguments: ["-1e15", "1e15", "-999999999999", "nan", "[1]", "07:32:00", "\"\""])
  func everySettingHasBounds(text: String) throws {
    let value = try TOMLParser.parseValue(text, file: "bad")
    // An empty text means "none", if that is the default or allowed.
    for setting in Self.settings
    where text != "\"\""
      || setting.value != .text("")
        && !setting.accepts.hasPrefix("text of 0 ")
    {
      var changed = Settings()
      let refusal = thrown(SettingMismatch.self, "\(setting.key) takes \(text)") {
        try changed.set(setting.key, value)
      }
      #expect(changed == Settings())
      switch setting.value {
      case .number, .address: #expect(refusal?.reason.contains(setting.accepts) == true)
      case .bool, .text, .date, .texts, .tables: break
      }
    }
  }

  @Test(
    "the nearest name is suggested",
    arguments: [("receiver.prot", "receiver.port"), ("stroe.path", "store.path")])
  func nearestName(typed: String, meant: String) {
    #expect(NearestName.suggestion(for: typed, among: Self.settings.map(\.key)) == meant)
  }

  @Test("edit distances are right") func distances() {
    #expect(NearestName.distance("abc", "abc") == 0)
    #expect(NearestName.distance("abc", "acb") == 1)
    #expect(NearestName.distance("", "abc") == 3)
    #expect(NearestName.distance("kitten", "sitting") == 3)
  }
}
