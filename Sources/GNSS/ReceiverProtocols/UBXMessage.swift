/// The parts of a verified frame. Reads past the payload's end give zero; the decoder has checked
/// the length.
struct UBXMessage {
  let kind: Kind
  let payload: UnsafeBufferPointer<UInt8>

  init(_ body: UnsafeBufferPointer<UInt8>) {
    kind = Kind(code: UInt16(body[0]) << 8 | UInt16(body[1]))
    payload = UnsafeBufferPointer(rebasing: body[4...])
  }

  func u8(_ offset: Int) -> UInt8 { offset < payload.count ? payload[offset] : 0 }
  func u16(_ offset: Int) -> UInt16 { UInt16(u8(offset)) | UInt16(u8(offset + 1)) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func i8(_ offset: Int) -> Int8 { Int8(bitPattern: u8(offset)) }
  func i16(_ offset: Int) -> Int16 { Int16(bitPattern: u16(offset)) }
  func i32(_ offset: Int) -> Int32 { Int32(bitPattern: u32(offset)) }

  /// Class in the high byte, id in the low one.
  struct Kind: Equatable {
    let code: UInt16

    static let navPOSECEF = Kind(code: 0x0101)
    static let navPOSLLH = Kind(code: 0x0102)
    static let navSTATUS = Kind(code: 0x0103)
    static let navDOP = Kind(code: 0x0104)
    static let navSOL = Kind(code: 0x0106)
    static let navPVT = Kind(code: 0x0107)
    static let navVELNED = Kind(code: 0x0112)
    static let navHPPOSLLH = Kind(code: 0x0114)
    static let navTIMEGPS = Kind(code: 0x0120)
    static let navTIMEUTC = Kind(code: 0x0121)
    static let navSVINFO = Kind(code: 0x0130)
    static let navSAT = Kind(code: 0x0135)
    static let navEOE = Kind(code: 0x0161)
    static let infNOTICE = Kind(code: 0x0402)
    static let ackNak = Kind(code: 0x0500)
    static let ackAck = Kind(code: 0x0501)
    static let updSOS = Kind(code: 0x0914)
    static let monVER = Kind(code: 0x0a04)
    static let monRXR = Kind(code: 0x0a21)
    static let mgaACK = Kind(code: 0x1360)
    static let mgaDBD = Kind(code: 0x1380)
    static let hnrPVT = Kind(code: 0x2800)

    /// The shortest payload that is decoded; nil for messages that are not.
    var minLength: Int? {
      switch self {
      case .navPOSECEF, .navTIMEUTC: 20
      case .navPOSLLH: 28
      case .navSTATUS, .navTIMEGPS: 16
      case .navDOP: 18
      case .navSOL: 52
      case .navPVT: UBXNavPVT.minLength
      case .navVELNED, .navHPPOSLLH: 36
      case .navSVINFO, .navSAT: 8
      case .navEOE: 4
      case .infNOTICE, .monRXR: 1
      case .ackNak, .ackAck: 2
      case .updSOS: 4
      case .monVER: 40
      case .mgaACK: 8
      case .mgaDBD: 12
      case .hnrPVT: 72
      default: nil
      }
    }
  }
}

/// u-blox's binary framing: B5 62, class, id, little-endian length, payload, 8-bit Fletcher sum
/// ("UBX protocol" in every u-blox interface description).
enum UBXFrame {
  static let firstPreamble: UInt8 = 0xb5
  static let secondPreamble: UInt8 = 0x62
  /// The longest message in use is RXM-RAWX with 16 + 32 bytes for each of up to 184 signals.
  static let maxPayloadSize = 8192

  enum Check {
    /// From the class to the end of the payload.
    case sound(UnsafeBufferPointer<UInt8>)
    case incomplete, notAFrame, badChecksum
  }

  static func check(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Check {
    let available = end - start
    if available >= 2, start[1] != secondPreamble { return .notAFrame }
    guard available >= 6 else { return .incomplete }
    let length = Int(start[4]) | Int(start[5]) << 8
    guard length <= maxPayloadSize else { return .notAFrame }
    guard available >= length + 8 else { return .incomplete }
    let body = UnsafeBufferPointer(start: start + 2, count: length + 4)
    let (a, b) = checksum(body)
    return a == start[length + 6] && b == start[length + 7] ? .sound(body) : .badChecksum
  }

  /// RFC 1145's 8-bit Fletcher sum over class, id, length and payload.
  static func checksum(_ body: UnsafeBufferPointer<UInt8>) -> (UInt8, UInt8) {
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return (a, b)
  }
}
