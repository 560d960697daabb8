/// Receivers that are spoken to alike: of one chip generation, or of one command language.
///
/// The raw value is what the setting `receiver.family` takes.
public enum ReceiverFamily: String, CaseIterable, Sendable {
  /// UBX of protocol versions below 14: NEO-6M, LEA-6.
  case ublox6
  /// UBX, protocol version 14: NEO-7, MAX-7.
  case ublox7
  /// UBX, protocol versions 15 to 23: NEO-M8, MAX-M8, SAM-M8Q, ZOE-M8.
  case ubloxM8
  /// UBX, protocol version 32: NEO-M9N.
  case ubloxM9
  /// UBX, protocol versions from 34: MAX-M10, SAM-M10Q, MIA-M10; F10 speaks the same.
  case ubloxM10
  /// UBX, protocol versions 27 to 33, high precision: ZED-F9.
  case ubloxF9
  /// PMTK sentences, MediaTek MT33x9 and MT3333: PA6H, PA1010D, Quectel L70, L76, L80, L86.
  case mediatek
  /// PAIR sentences, Airoha AG33xx: Quectel LC29H, LC76G, LC86G.
  case airoha
  /// PCAS sentences, Zhongkewei AT6558: ATGM336H, Quectel L76K.
  case casic
  /// The receiver inside a SIMCom modem, which is commanded through the modem and not on its own
  /// line.
  case simcom
  /// Speaks NMEA; how to command it is not known.
  case other

  /// Whether it is commanded in UBX.
  public var speaksUBX: Bool {
    switch self {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: true
    case .mediatek, .airoha, .casic, .simcom, .other: false
    }
  }
}
