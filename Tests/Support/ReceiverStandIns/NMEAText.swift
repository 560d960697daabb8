/// Sentences as a receiver sends them.
public enum NMEAText {
  /// With its `$`, checksum and line end.
  public static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let hex = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(hex)\r\n".utf8)
  }

  /// A GGA and an RMC: a fix at 47.285217 N, 8.565265 E.
  ///
  /// - Parameters:
  ///   - time: "hhmmss".
  ///   - date: "ddmmyy".
  public static func fix(time: String, date: String) -> [UInt8] {
    sentence("GPGGA,\(time).00,4717.1130,N,00833.9159,E,1,08,1.01,499.6,M,48.0,M,,")
      + sentence("GPRMC,\(time).00,A,4717.1130,N,00833.9159,E,0.004,77.52,\(date),,,A")
  }

  /// An epoch without a fix, with three satellites in view.
  public static func search(time: String, date: String) -> [UInt8] {
    sentence("GPGGA,\(time).00,,,,,0,00,99.99,,,,,,")
      + sentence("GPGSV,1,1,03,01,40,083,22,02,17,308,,12,07,344,")
      + sentence("GPRMC,\(time).00,V,,,,,,,\(date),,,N")
  }
}
