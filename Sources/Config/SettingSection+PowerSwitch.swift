extension SettingSection {
  /// How the receiver is switched, put to sleep and woken.
  static let powerSwitch = SettingSection(
    "power_switch",
    "What turns the receiver on and off. A GPIO line is written as its name (\"GNSS_EN\") or as "
      + "its chip's label and its offset there (\"pinctrl-bcm2711:17\"; gpioinfo lists both), "
      + "then any of the words active-low, open-drain, open-source, pull-up, pull-down, "
      + "bias-disabled. An empty text says that the line is not wired.",
    [
      .choice(
        "kind", \.powerSwitch.kind,
        "\"none\": the receiver is always on, and the schedule only decides when it is listened "
          + "to. \"gpio\": GPIO lines switch it. \"gnss\": the kernel powers it while its GNSS "
          + "device is open. \"command\": nothing is wired, it sleeps and wakes by command. "
          + "\"virtual\": the switch in memory of godwit simulate, whose receiver then keeps to "
          + "backup_supply and sleep_command (families mediatek and u-blox); godwit run refuses it."
      ),
      .line("supply", \.powerSwitch[.supply], "Switches the receiver's supply."),
      .line(
        "backup", \.powerSwitch[.backup],
        "Switches its backup supply (V_BCKP); held active while the daemon runs."),
      .line(
        "uart", \.powerSwitch[.uart],
        "Enables the level shifter of its serial line; inactive before the supply goes."),
      .line(
        "wake", \.powerSwitch[.wake],
        "Wakes it from a sleep by command (EXTINT, FORCE_ON); without it bytes do."),
      .line("reset", \.powerSwitch[.reset], "Holds it in reset; used when nothing else helps."),
      .quantity(
        "settle_s", \.powerSwitch.settle, 0...30,
        "From switching the supply on until the receiver may be spoken to."),
      .choice(
        "on_start", \.powerSwitch.onStart,
        "The supply when the daemon takes the line: off, on, or as it is found (keep)."),
      .choice(
        "on_exit", \.powerSwitch.onExit,
        "The supply when the daemon ends in an orderly way: off, on, or as it is (keep). After "
          + "a crash the kernel gives the line back: board/README.md tells what each board does "
          + "then, and systemd starts the daemon again within seconds."),
      .flag(
        "backup_supply", \.powerSwitch.hasBackupSupply,
        "Whether the receiver's backup supply outlives a cut, so that it starts hot after one."),
      .choice(
        "sleep_command", \.powerSwitch.sleepCommand,
        "\"auto\": what the receiver's family understands, the gentlest first that it obeys. "
          + "\"none\": it is never put to sleep by command; right for a u-blox receiver on USB, "
          + "which vanishes from the bus when it sleeps. Anything else: only this command."),
      .choice(
        "orbit_keeping", \.powerSwitch.orbitKeeping,
        "How orbits survive a cut. \"auto\": the backup supply where there is one, otherwise what "
          + "the receiver offers. \"flash\": it saves them itself (UBX-UPD-SOS). \"host\": the "
          + "daemon keeps them for it (UBX-MGA-DBD). \"none\": nothing is done."),
    ])
}
