/// Settings as the text of a settings file, every value explained.
public enum SettingsText {
  static let width = 78

  /// What the list at the top of a settings file means; also for the manual.
  static let boards =
    "The boards that are wired, by name (\"raspberry-pi-4\", \"ublox-sam-m8q\") or by the path of "
    + "a file. Each brings its values, which everything below is stronger than. Two boards that "
    + "give one setting different values are an error until this file sets it."

  public static func render(_ settings: Settings) -> String {
    var lines = comment(
      "Settings of Godwit. Every value here is the built-in default: change what you need and "
        + "delete the rest. The unit of a number is the end of its name. Check the file with: "
        + "godwit config check --config FILE")
    lines.append("")
    lines += comment(boards)
    lines.append("\(SettingsLayer.boardsKey) = []")
    for section in SettingSection.all {
      lines.append("")
      lines += comment(section.doc)
      lines.append("[\(section.name)]")
      for setting in section.settings {
        lines.append("")
        lines += comment("\(setting.doc) Takes \(setting.accepts).")
        lines.append("\(setting.name) = \(setting.value(in: settings).toml)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
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
