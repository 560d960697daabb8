import Core

/// The switch of the receiver's supply, and the methods of sleep and wake-up.
public struct PowerSwitchSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case none, gpio, gnss, command, virtual }

  public var kind = Kind.none
  /// The wired lines.
  public var lines: [PowerLine: GpioLine] = [:]
  public var powerOnDelay = Seconds(0.5)
  public var onStart = LinePolicy.off
  public var onExit = LinePolicy.off
  public var hasBackupSupply = true
  public var sleepCommand = SleepCommand.auto
  public var navigationBackup = NavigationBackup.auto

  public init() {}

  /// Whether it switches a physical receiver.
  public var isReal: Bool { kind != .none && kind != .virtual }

  subscript(line: PowerLine) -> GpioLine? {
    get { lines[line] }
    set { lines[line] = newValue }
  }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "power_switch",
      "Switch of the receiver. Write a GPIO line as its name (\"GNSS_EN\"), or as the label of its "
        + "chip and its offset there (\"pinctrl-bcm2711:17\"; gpioinfo lists both), followed by "
        + "any of the words active-low, open-drain, open-source, pull-up, pull-down, "
        + "bias-disabled. Empty: the line is not wired.")
    setting(
      "kind", &kind, .choice,
      "Kind of the switch. \"none\": the receiver is always on and read, regardless of the "
        + "schedule. \"gpio\": GPIO lines switch it. \"gnss\": the kernel powers it while its GNSS "
        + "device is open. \"command\": nothing is wired; it sleeps and wakes by command. "
        + "\"virtual\": the simulated switch of godwit simulate, whose receiver then follows "
        + "backup_supply and sleep_command (families mediatek and u-blox); godwit run refuses it.")
    setting("supply", &self[.supply], .line, "Line that switches the receiver's supply.")
    setting(
      "backup", &self[.backup], .line,
      "Line that switches its backup supply (V_BCKP); active while the daemon runs.")
    setting(
      "uart", &self[.uart], .line,
      "Line that enables the level shifter of its serial line; inactive before the supply goes off."
    )
    setting(
      "wake", &self[.wake], .line,
      "Line that wakes it from a sleep by command (EXTINT, FORCE_ON). Default: bytes on its serial "
        + "line wake it.")
    setting("reset", &self[.reset], .line, "Line that resets it, if it no longer answers.")
    setting(
      "power_on_delay_s", &powerOnDelay, .quantity(0...30),
      "Time from switching the supply on until the receiver accepts commands.")
    setting(
      "on_start", &onStart, .choice,
      "State of the supply when the daemon requests the line: off, on, or unchanged (keep).")
    setting(
      "on_exit", &onExit, .choice,
      "State of the supply when the daemon ends normally: off, on, or unchanged (keep). After a "
        + "crash the kernel releases the line: board/README.md describes the effect on each board, "
        + "and systemd restarts the daemon within seconds.")
    setting(
      "backup_supply", &hasBackupSupply, .flag,
      "The backup supply of the receiver stays on through a cut, so that it then starts hot.")
    setting(
      "sleep_command", &sleepCommand, .choice,
      "Sleep command. \"auto\": the gentlest command of the receiver's family that it accepts. "
        + "\"none\": never put it to sleep by command; for a u-blox receiver on USB, which "
        + "disappears from the bus when it sleeps. Any other value: only this command.")
    setting(
      "navigation_backup", &navigationBackup, .choice,
      "Backup of the navigation data (ephemeris, almanac) during a cut. \"auto\": the backup "
        + "supply if there is one, otherwise the method of the receiver. \"flash\": the receiver "
        + "saves the data itself (UBX-UPD-SOS). \"host\": the daemon keeps the data (UBX-MGA-DBD). "
        + "\"none\": no backup.")
    setting.conflicts(lineConflicts)
  }

  private var lineConflicts: [SettingConflict] {
    guard kind == .gpio else { return [] }
    var found: [SettingConflict] = []
    if lines[.supply] == nil {
      found.append(
        SettingConflict(
          "supply", because: "kind",
          "is empty, but power_switch.kind = \"gpio\" needs the line that switches the supply; a "
            + "receiver without such a line sleeps by power_switch.kind = \"command\""))
    }
    var purposes: [GpioLine.Specifier: PowerLine] = [:]
    for line in PowerLine.allCases {
      guard let specifier = lines[line]?.specifier else { continue }
      guard let other = purposes[specifier] else {
        purposes[specifier] = line
        continue
      }
      found.append(
        SettingConflict(
          line.rawValue, because: "kind",
          "is also power_switch.\(other.rawValue); each needs a separate line"))
    }
    return found
  }
}

extension SettingKind where Value == GpioLine? {
  /// A GPIO line, or an empty text for none.
  public static var line: Self {
    Self(
      accepts: "a line's name or LABEL:OFFSET, or \"\"",
      read: { value throws(SettingMismatch) in
        let text = try value.textWithoutNull
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= 200 else {
          throw SettingMismatch("has \(text.utf8.count) bytes; expected at most 200")
        }
        do throws(GpioLine.Mismatch) {
          return try GpioLine(parsing: text)
        } catch {
          throw SettingMismatch(error.reason)
        }
      },
      show: { .text($0?.text ?? "") })
  }
}
