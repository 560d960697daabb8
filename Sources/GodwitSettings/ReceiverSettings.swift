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
  var acceptsMissingChecksums = false
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
    setting.section("receiver", "Source of positions.")
    setting(
      "kind", &kind, .choice,
      "Connection of the GNSS receiver: a serial line, gpsd, the kernel's GNSS device (together "
        + "with power_switch.kind = \"gnss\"), or none. If the receiver is missing, Godwit waits "
        + "for it.")
    serial.declare(setting)
    gpsd.declare(setting)
    declareCommands(setting)
  }

  /// The receiver's command set, and the accepted output.
  private mutating func declareCommands(_ setting: SettingVisitor) {
    setting(
      "family", &family, .choice(none: "auto"),
      "Command set of the receiver: to put it to sleep, wake it and keep its navigation data. "
        + "\"auto\": query the receiver. Name the family if the receiver cannot answer, or answers "
        + "wrongly; \"other\" gets no commands.")
    setting(
      "power_save", &powerSaving, .choice,
      "Power saving while the receiver delivers fixes. \"keep\": its present configuration. "
        + "\"on\": cyclic tracking of u-blox 6 to M8 and M10 (UBX-CFG-PM2), for less current and "
        + "larger errors; useful with policy continuous. \"off\": full power, regardless of its "
        + "configuration.")
    setting(
      "accept_missing_checksums", &acceptsMissingChecksums, .flag,
      "Accept NMEA sentences without a checksum. A wrong checksum is always rejected.")
    setting(
      "date_floor", &dateFloor, .date,
      "Earliest accepted date. Receivers whose week counter has rolled over are 1024 or 2048 weeks "
        + "behind and are corrected with it. Fixes whose date contradicts the system's clock or "
        + "the newest stored record are rejected until the date has been consistent for a day.")
  }
}
