import Core

/// The manual page godwit.toml(5), in mdoc, generated from the declared settings.
public enum SettingsManual {
  /// - Parameters:
  ///   - root: the type with the settings.
  ///   - date: the date of the program's version, in the form of manuals: "May 1, 2026".
  public static func render<Root: SettingGroup>(_ root: Root.Type, date: String) -> String {
    var lines = ManualText.head(
      "godwit.toml", section: 5, "settings of the GNSS tracker Godwit", date: date)
    lines.append(".Sh DESCRIPTION")
    lines += ManualText.lines(
      "A settings file is written in TOML 1.0. Settings that it omits keep their defaults. It "
        + "overrides board files, which have the same form; options on the command line override "
        + "it. A name that is not listed here is an error. The name of a number ends in its "
        + "unit.")
    lines.append(".Ss Boards")
    lines += ManualText.lines("Before the first section is the list")
    lines.append(".Va \(SettingsRole.settings.key) .")
    lines += ManualText.lines(SettingsText.boards)
    lines += ManualText.lines(
      "A name stands for NAME/board.toml in the folder that GODWIT_BOARDS names, in those "
        + "below FILES, or beside the settings file. A board file may have a list")
    lines.append(".Va \(SettingsRole.board.key)")
    lines += ManualText.lines(
      "before its first section, with those of its settings that override other boards: for an "
        + "add-on that replaces a part of the host. The order of boards does not matter.")
    for section in DeclaredSettings(in: Root()).sections { lines += part(section) }
    lines += [
      ".Sh FILES", ".Bl -tag -width Ds", ".It Pa /etc/godwit/godwit.toml", "Settings file.",
      ".It Pa /etc/godwit/board.toml", "Board file, if no board is named.",
      ".It Pa /etc/godwit/boards", ".It Pa /usr/local/share/godwit/boards",
      ".It Pa /usr/share/godwit/boards", "Boards by name.", ".El", ".Sh EXAMPLES",
    ]
    lines += ManualText.lines("To print a complete file with an explanation of every setting:")
    lines += [".Dl godwit config default", ".Sh SEE ALSO", ".Xr godwit 1"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func part(_ section: SettingSection) -> [String] {
    var lines = [".Ss \(section.name)"] + ManualText.lines(section.doc)
    lines += ManualText.lines(section.activation.sentence)
    func item(
      _ name: String, _ doc: String, _ accepts: String, _ builtIn: SettingValue?,
      _ counts: SettingActivation
    ) {
      lines.append(".It Va \(name)")
      lines += ManualText.lines(doc) + ManualText.lines("Values: \(accepts).")
      lines += ManualText.lines(builtIn.map { "Default: \($0.toml)." } ?? "Required.")
      if counts != section.activation { lines += ManualText.lines(counts.sentence) }
    }
    if section.fields != nil {
      lines += ManualText.lines("Write [[\(section.name)]] before each.")
    }
    lines.append(".Bl -tag -width Ds")
    if let fields = section.fields {
      for field in fields {
        item(field.name, field.doc, field.accepts, field.builtIn, section.activation)
      }
    } else {
      for setting in section.settings {
        item(setting.name, setting.doc, setting.accepts, setting.value, setting.activation)
      }
    }
    return lines + [".El"]
  }
}
