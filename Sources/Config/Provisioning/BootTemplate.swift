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
      # Settings of this board. Change them here, on any computer, then start the board: a # makes
      # the rest of its line a remark, so take the # away from what you need. What the board made of
      # this file is in godwit-report.txt beside it.

      # The board and its parts: raspberry-pi-zero-2-w, raspberry-pi-4, ublox-sam-m8q,
      # ublox-neo-m8n, gpio-load-switch, ina219 and others.
      boards = \(listed)

      [device]
      # Its name in everything that leaves it, and, made fit for it, in the network.
      #name = "kestrel"

      [policy]
      # When it looks for its position: "adaptive" (the default), "hybrid", "periodic",
      # "continuous" and others.
      #name = "adaptive"

      [image]
      # Who may log in, as \(user): the line of a .pub file. There are no passwords.
      #ssh_keys = ["ssh-ed25519 AAAA... me@laptop"]
      # The country whose rules for Wi-Fi apply, in two letters.
      #wifi_country = "DE"
      #timezone = "Europe/Berlin"
      #hostname = "kestrel"

      # The Wi-Fi networks to join, the most wanted first; these three lines for each. An open one
      # has the password "".
      #[[image.wifi_networks]]
      #ssid = "Home"
      #password = "at least eight characters"

      # Every other setting of the tracker has its place here, too, below the header of its section:
      # "godwit image settings --all" on the board prints them, explained.
      """
    return lines.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n") + "\r\n"
  }
}
