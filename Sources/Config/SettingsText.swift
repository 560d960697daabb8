import Core

/// Settings as the text of a settings file, with an explanation of every value.
public enum SettingsText {
  static let width = 78

  /// The explanation of the list at the top of a settings file; also for the manual.
  static let boards =
    "Boards in use, by name (\"raspberry-pi-4\", \"ublox-sam-m8q\") or by the path of "
    + "a file. The settings below override their values. Two boards with "
    + "different values of one setting are an error until this file sets it."

  public static func render(_ settings: some SettingGroup) -> String {
    var lines = comment(
      "Settings of Godwit. Every value here is the built-in default: change the values that you "
        + "need and delete the rest. The name of a number ends in its unit. Check the file with: "
        + "godwit config check --config FILE")
    lines.append("")
    lines += comment(boards)
    lines.append("\(SettingsRole.settings.key) = []")
    for section in DeclaredSettings(in: settings).sections {
      lines.append("")
      lines += comment("\(section.doc) \(section.activation.sentence)")
      lines +=
        section.fields.map { list(section, $0) } ?? table(section)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ section: SettingSection) -> [String] {
    var lines = ["[\(section.name)]"]
    for setting in section.settings {
      lines.append("")
      let moment = setting.activation == section.activation ? "" : " \(setting.activation.sentence)"
      lines += comment("\(setting.doc) Values: \(setting.accepts).\(moment)")
      lines.append("\(setting.name) = \(setting.value.toml)")
    }
    return lines
  }

  /// Every field is explained once, before the tables; without tables, the header is commented out.
  private static func list(
    _ section: SettingSection, _ fields: [SettingField]
  ) -> [String] {
    var lines = fields.flatMap { field in
      comment("\(field.name): \(field.doc) Values: \(field.accepts).")
    }
    let header = "[[\(section.name)]]"
    guard case .tables(let tables)? = section.settings.first?.value, !tables.isEmpty
    else { return lines + ["# \(header)"] }
    for table in tables {
      lines += [header] + table.map { "\($0.name) = \($0.value.toml)" }
    }
    return lines
  }

  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "#"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = "#"
      }
      line += " \(word)"
    }
    return lines + [line]
  }
}
