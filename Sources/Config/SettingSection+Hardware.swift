extension SettingSection {
  /// What belongs to the board: usually set by its board file.
  static let hardware = [
    SettingSection(
      "receiver", "Where positions come from.",
      [
        .choice(
          "kind", \.receiver.kind,
          "How the GNSS receiver is reached: on a serial line of its own, through gpsd, as the "
            + "kernel's GNSS device (with power_switch.kind = \"gnss\", which it is), or not at "
            + "all. A receiver that is missing is waited for."),
        .text(
          "device", \.receiver.device, atMost: 255,
          "The serial line, or the kernel's GNSS device (/dev/gnss0). The udev rules that come "
            + "with Godwit make /dev/gnss-receiver, which stays the same when USB devices are "
            + "renumbered."),
        .integer(
          "baud", \.receiver.baud,
          oneOf: [0, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600],
          "Speed of the serial line in baud. 0 tries the usual speeds until sentences with good "
            + "checksums arrive."),
        .text("host", \.receiver.host, atMost: 255, "Where gpsd listens, for kind \"gpsd\"."),
        .integer("port", \.receiver.port, 1...65_535, "The port of gpsd; 2947 is assigned to it."),
        .text(
          "gpsd_device", \.receiver.gpsdDevice, atMost: 127, canBeEmpty: true,
          "The receiver's device, as gpsd names it (DEVICES in /etc/default/gpsd). Empty: the only "
            + "one that gpsd has when it is first asked."),
        .text(
          "gpsd_control", \.receiver.gpsdControl, atMost: 107, canBeEmpty: true,
          "The control socket of a gpsd on this board. Over it gpsd gives the device back before "
            + "the receiver's power is cut and takes it again afterwards, and commands reach the "
            + "receiver. Debian's belongs to root: godwit's gpsd.socket drop-in opens it to the "
            + "group godwit. Empty: gpsd keeps the device and searches a dead line."),
        .choice(
          "family", \.receiver.family,
          "How the receiver is commanded: which words put it to sleep, wake it and keep its "
            + "orbits. \"auto\": it is asked who it is. Name it when it cannot answer, or answers "
            + "wrongly; \"other\" is never commanded."),
        .choice(
          "power_save", \.receiver.powerSaving,
          "Whether it saves power while it delivers fixes. \"keep\": as it is set up. \"on\": "
            + "cyclic tracking of u-blox 6 to M8 and M10 (UBX-CFG-PM2), for less current and "
            + "larger errors; it pays with policy continuous. \"off\": full power, whatever it "
            + "was set up to."),
        .flag(
          "accept_missing_checksums", \.receiver.acceptsMissingChecksums,
          "Whether NMEA sentences without a checksum are believed. A wrong checksum never is."),
        .date(
          "date_floor", \.receiver.dateFloor,
          "No earlier date is believed. Receivers whose week counter has rolled over are 1024 or "
            + "2048 weeks behind and are corrected against it. Fixes whose date the system's clock "
            + "or the newest stored record contradicts are refused until it has held for a day."),
      ]),
    powerSwitch,
    powerMonitor,
    SettingSection(
      "gnss",
      "What the receiver draws in each state and how fast it starts: from its data sheet, or "
        + "better measured. The defaults are those of a u-blox SAM-M8Q (UBX-16012619).",
      [
        .quantity("supply_V", \.gnss.supply, 0.5...30, "Voltage of the receiver's supply."),
        .quantity("acquiring_mA", \.gnss.acquiring, 0...2000, "Current while it searches."),
        .quantity("tracking_mA", \.gnss.tracking, 0...2000, "Current while it delivers fixes."),
        .quantity(
          "sleeping_mA", \.gnss.sleeping, 0...2000, "Current while asleep by command."),
        .quantity(
          "off_mA", \.gnss.off, 0...2000,
          "Current while the switch is off: backup supply and leakage."),
        .quantity(
          "cold_start_s", \.gnss.coldStart, 0.1...3600,
          "Time to first fix with nothing known. Later searches are predicted from it until the "
            + "receiver's own times have been learnt."),
        .quantity(
          "warm_start_s", \.gnss.warmStart, 0.1...3600,
          "Time to first fix with an almanac and rough time, but old ephemeris."),
        .quantity(
          "hot_start_s", \.gnss.hotStart, 0.1...3600, "Time to first fix with fresh ephemeris."),
      ]),
  ]
}
