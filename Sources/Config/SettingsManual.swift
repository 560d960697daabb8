/// The manual page godwit.toml(5), in mdoc, from the table of settings.
public enum SettingsManual {
  /// - Parameter date: of the program's version, as manuals write it: "May 1, 2026".
  public static func render(date: String) -> String {
    var lines = [
      ".Dd \(date)", ".Dt GODWIT.TOML 5", ".Os", ".Sh NAME", ".Nm godwit.toml",
      ".Nd settings of the GNSS tracker Godwit", ".Sh DESCRIPTION",
    ]
    lines += text(
      "A settings file is written in TOML 1.0. What it does not set keeps its default. A board "
        + "file has the same form and comes before it; options on the command line come after "
        + "it. A name that is not listed here is an error. The unit of a number is the end of "
        + "its name.")
    for section in SettingSection.all {
      lines += [".Ss \(section.name)"] + text(section.doc)
      lines.append(".Bl -tag -width Ds")
      for setting in section.settings {
        lines.append(".It Va \(setting.name)")
        lines += text(setting.doc) + text("Takes \(setting.accepts).")
        lines += text("Default: \(setting.value(in: Settings()).toml).")
      }
      lines.append(".El")
    }
    lines += [
      ".Sh FILES", ".Bl -tag -width Ds", ".It Pa /etc/godwit/godwit.toml", "The settings file.",
      ".It Pa /etc/godwit/board.toml", "The board file.", ".El", ".Sh EXAMPLES",
    ]
    lines += text("A complete file in which every setting is explained is printed by")
    lines += [".Dl godwit config default", ".Sh SEE ALSO", ".Xr godwit 1"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text as mdoc wants it: every sentence on a line of its own, nothing taken for a macro.
  static func text(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let startsSentence = word.first.map { $0.isUppercase || $0 == "\"" } ?? false
      if startsSentence, line.last == "." || line.last == ":" {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [line]).map { line in
      let escaped = line.replacing("\\", with: "\\e")
      return escaped.first == "." || escaped.first == "'" ? "\\&\(escaped)" : escaped
    }
  }
}
