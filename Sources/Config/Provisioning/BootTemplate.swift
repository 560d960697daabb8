import Core

/// The initial boot file: the settings that most boards need, the most important first, and a
/// reference to the rest. Unchanged, every setting except the boards has its default.
public enum BootTemplate {
  /// - Parameters:
  ///   - boards: by name, that of the image first.
  ///   - user: the user that the SSH keys give access to.
  public static func text(boards: [String], user: String) -> String {
    let listed = SettingValue.texts(boards).toml
    let lines = """
      # Settings of this board. Change them here, on any computer, then start the board. A # makes
      # the rest of its line a comment: remove the # from the settings that you need. The result is
      # in godwit-report.txt beside this file.

      # The board and its parts: raspberry-pi-zero-2-w, raspberry-pi-4, ublox-sam-m8q,
      # ublox-neo-m8n, gpio-load-switch, ina219 and others.
      boards = \(listed)

      [device]
      # Name of the board in all its output and, adapted to the rules of host names, in the network.
      #name = "kestrel"

      [policy]
      # Schedule of the fix attempts: "adaptive" (the default), "hybrid", "periodic", "continuous"
      # and others.
      #name = "adaptive"

      [image]
      # Keys that may log in, as \(user): the line of a .pub file. There are no passwords.
      #ssh_keys = ["ssh-ed25519 AAAA... me@laptop"]
      # Country whose rules for Wi-Fi apply, as two letters.
      #wifi_country = "DE"
      #timezone = "Europe/Berlin"
      #hostname = "kestrel"

      # Wi-Fi networks to join, in order of preference; these three lines for each. An open network
      # has the password "".
      #[[image.wifi_networks]]
      #ssid = "Home"
      #password = "at least eight characters"

      # You can also set every other setting of the tracker here, below the header of its section:
      # "godwit image settings --all" on the board prints them with explanations.
      """
    return lines.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n") + "\r\n"
  }
}
