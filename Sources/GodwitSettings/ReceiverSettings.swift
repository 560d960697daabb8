import GNSS
import Core
import Hardware

/// The source of receiver bytes, and the known properties of the receiver.
public struct ReceiverSettings: SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case serial, gpsd, gnss, none }

  public var kind = Kind.serial
  public var serial = SerialSettings()
  /// With the control socket of Debian's gpsd.socket.
  public var gpsd = GpsdSettings(control: "/run/gpsd.sock")
  /// Nil: the receiver is queried.
  public var family: ReceiverFamily?
  public var powerSaving = PowerSaving.keep
  public var acceptsMissingChecksums = false
  /// Determines the 1024-week era of a receiver's date.
  public var dateFloor = UTCInstant(seconds: 1_767_225_600)  // 2026-01-01

  public init() {}

  /// Whether the daemon accesses the receiver directly, with no other program in between.
  public var hasOwnDevice: Bool { kind == .serial || kind == .gnss }

  public var decoderOptions: DecoderOptions {
    DecoderOptions(
      acceptsMissingChecksums: acceptsMissingChecksums, earliestDate: dateFloor)
  }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("receiver", "Where positions come from.")
    setting(
      "kind", &kind, .choice,
      "How the GNSS receiver is reached: on a serial line of its own, through gpsd, as the "
        + "kernel's GNSS device (together with power_switch.kind = \"gnss\"), or not at all. "
        + "If the receiver is missing, Godwit waits for it.")
    serial.declare(setting)
    gpsd.declare(setting)
    declareCommands(setting)
  }

  /// The receiver's command set, and the accepted output.
  private mutating func declareCommands(_ setting: SettingVisitor) {
    setting(
      "family", &family, .choice(none: "auto"),
      "How the receiver is commanded: which commands put it to sleep, wake it and keep its "
        + "navigation data. \"auto\": it is asked what it is. Name it when it cannot answer, or "
        + "answers wrongly; \"other\" is never commanded.")
    setting(
      "power_save", &powerSaving, .choice,
      "Whether it saves power while it delivers fixes. \"keep\": as it is set up. \"on\": cyclic "
        + "tracking of u-blox 6 to M8 and M10 (UBX-CFG-PM2), for less current and larger errors; "
        + "worthwhile with policy continuous. \"off\": full power, whatever it was set up to.")
    setting(
      "accept_missing_checksums", &acceptsMissingChecksums, .flag,
      "Whether NMEA sentences without a checksum are believed. A wrong checksum never is.")
    setting(
      "date_floor", &dateFloor, .date,
      "No earlier date is believed. Receivers whose week counter has rolled over are 1024 or 2048 "
        + "weeks behind and are corrected against it. Fixes whose date the system's clock or the "
        + "newest stored record contradicts are refused until the date has held for a day.")
  }
}
