import Quantities
import SettingDeclarations

/// What turns the receiver on and off, and how it is put to sleep and woken.
public struct PowerSwitchSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case none, gpio, gnss, command, virtual }

  public var kind = Kind.none
  /// The lines that are wired.
  public var lines: [PowerLine: GpioLine] = [:]
  public var settle = Seconds(0.5)
  public var onStart = LinePolicy.off
  public var onExit = LinePolicy.off
  public var hasBackupSupply = true
  public var sleepCommand = SleepCommand.auto
  public var navigationBackup = NavigationBackup.auto

  public init() {}

  /// Whether it switches a receiver outside this program's memory.
  public var isReal: Bool { kind != .none && kind != .virtual }

  subscript(line: PowerLine) -> GpioLine? {
    get { lines[line] }
    set { lines[line] = newValue }
  }

  public static let section = SettingSection<Self>(
    "power_switch",
    "What turns the receiver on and off. A GPIO line is written as its name (\"GNSS_EN\") or as "
      + "its chip's label and its offset there (\"pinctrl-bcm2711:17\"; gpioinfo lists both), then "
      + "any of the words active-low, open-drain, open-source, pull-up, pull-down, bias-disabled. "
      + "An empty text says that the line is not wired.",
    [
      Setting(
        "kind", \.kind, .choice,
        "\"none\": the receiver is always on, and the schedule only decides when it is listened "
          + "to. \"gpio\": GPIO lines switch it. \"gnss\": the kernel powers it while its GNSS "
          + "device is open. \"command\": nothing is wired, it sleeps and wakes by command. "
          + "\"virtual\": the switch in memory of godwit simulate, whose receiver then keeps to "
          + "backup_supply and sleep_command (families mediatek and u-blox); godwit run refuses "
          + "it."),
      Setting("supply", \.[.supply], .line, "Switches the receiver's supply."),
      Setting(
        "backup", \.[.backup], .line,
        "Switches its backup supply (V_BCKP); held active while the daemon runs."),
      Setting(
        "uart", \.[.uart], .line,
        "Enables the level shifter of its serial line; inactive before the supply goes."),
      Setting(
        "wake", \.[.wake], .line,
        "Wakes it from a sleep by command (EXTINT, FORCE_ON); without it bytes do."),
      Setting("reset", \.[.reset], .line, "Holds it in reset; used when nothing else helps."),
      Setting(
        "power_on_delay_s", \.settle, .quantity(0...30),
        "From switching the supply on until the receiver may be spoken to."),
      Setting(
        "on_start", \.onStart, .choice,
        "The supply when the daemon takes the line: off, on, or as it is found (keep)."),
      Setting(
        "on_exit", \.onExit, .choice,
        "The supply when the daemon ends in an orderly way: off, on, or as it is (keep). After a "
          + "crash the kernel gives the line back: board/README.md tells what each board does "
          + "then, and systemd starts the daemon again within seconds."),
      Setting(
        "backup_supply", \.hasBackupSupply, .flag,
        "Whether the receiver's backup supply outlives a cut, so that it starts hot after one."),
      Setting(
        "sleep_command", \.sleepCommand, .choice,
        "\"auto\": what the receiver's family understands, the gentlest first that it obeys. "
          + "\"none\": it is never put to sleep by command; right for a u-blox receiver on USB, "
          + "which vanishes from the bus when it sleeps. Anything else: only this command."),
      Setting(
        "navigation_backup", \.navigationBackup, .choice,
        "How the navigation data (ephemeris, almanac) survive a cut. \"auto\": the backup supply "
          + "where there is one, otherwise what the receiver offers. \"flash\": it saves them "
          + "itself (UBX-UPD-SOS). \"host\": the daemon keeps them for it (UBX-MGA-DBD). "
          + "\"none\": nothing is done."),
    ],
    conflicts: { $0.lineConflicts })

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
    var purposes: [GpioLine.Place: PowerLine] = [:]
    for line in PowerLine.allCases {
      guard let place = lines[line]?.place else { continue }
      guard let other = purposes[place] else {
        purposes[place] = line
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
  static var line: Self {
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
