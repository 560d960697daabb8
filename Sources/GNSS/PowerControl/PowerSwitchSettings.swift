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
      "What switches the receiver on and off. A GPIO line is written as its name (\"GNSS_EN\") or "
        + "as its chip's label and its offset there (\"pinctrl-bcm2711:17\"; gpioinfo lists both), "
        + "then any of the words active-low, open-drain, open-source, pull-up, pull-down, "
        + "bias-disabled. An empty text means that the line is not wired.")
    setting(
      "kind", &kind, .choice,
      "\"none\": the receiver is always on and listened to, whatever the schedule says. "
        + "\"gpio\": GPIO lines switch it. \"gnss\": the kernel powers it while its GNSS "
        + "device is open. \"command\": nothing is wired, it sleeps and wakes by command. "
        + "\"virtual\": the simulated switch of godwit simulate, whose receiver then follows "
        + "backup_supply and sleep_command (families mediatek and u-blox); godwit run refuses "
        + "it.")
    setting("supply", &self[.supply], .line, "Switches the receiver's supply.")
    setting(
      "backup", &self[.backup], .line,
      "Switches its backup supply (V_BCKP); held active while the daemon runs.")
    setting(
      "uart", &self[.uart], .line,
      "Enables the level shifter of its serial line; inactive before the supply goes.")
    setting(
      "wake", &self[.wake], .line,
      "Wakes it from a sleep by command (EXTINT, FORCE_ON); without it, bytes on its line do.")
    setting("reset", &self[.reset], .line, "Holds it in reset; used when it no longer answers.")
    setting(
      "power_on_delay_s", &powerOnDelay, .quantity(0...30),
      "From switching the supply on until the receiver can take commands.")
    setting(
      "on_start", &onStart, .choice,
      "The supply when the daemon requests the line: off, on, or as it is found (keep).")
    setting(
      "on_exit", &onExit, .choice,
      "The supply when the daemon ends normally: off, on, or as it is (keep). After a "
        + "crash the kernel releases the line: board/README.md says what each board does "
        + "then, and systemd starts the daemon again within seconds.")
    setting(
      "backup_supply", &hasBackupSupply, .flag,
      "Whether the receiver's backup supply stays on through a cut, so that it then starts hot.")
    setting(
      "sleep_command", &sleepCommand, .choice,
      "\"auto\": the gentlest command of the receiver's family that it obeys. "
        + "\"none\": it is never put to sleep by command; right for a u-blox receiver on USB, "
        + "which vanishes from the bus when it sleeps. Anything else: only this command.")
    setting(
      "navigation_backup", &navigationBackup, .choice,
      "How the navigation data (ephemeris, almanac) survives a cut. \"auto\": the backup supply "
        + "where there is one, otherwise what the receiver offers. \"flash\": it saves the data "
        + "itself (UBX-UPD-SOS). \"host\": the daemon keeps the data for it (UBX-MGA-DBD). "
        + "\"none\": nothing is done.")
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
          "is also power_switch.\(other.rawValue); each needs a line of its own"))
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
          throw SettingMismatch("has \(text.utf8.count) bytes; a line takes 200 at most")
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
