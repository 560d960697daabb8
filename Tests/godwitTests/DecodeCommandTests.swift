import Foundation
import TestSupport
import Testing

@Suite struct DecodeCommandTests {
  /// One second of a receiver, its first sentence without a checksum.
  private static let recording = """
    $GPRMC,120000,A,5204.3000,N,00507.2000,E,0.0,90.0,010526,,,A\r
    $GPGGA,120000,5204.3000,N,00507.2000,E,1,08,0.9,5.0,M,45.0,M,,*44\r

    """

  private static func recorded(_ scratch: ScratchFolder) throws -> String {
    let path = scratch.file("recording.nmea")
    try recording.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("decode prints one line per fix") func printsOneLineForEachFix() throws {
    let scratch = try ScratchFolder()
    let decoded = try Program.run("decode", try Self.recorded(scratch))
    #expect(decoded.exitCode == 0 && decoded.messages == "")
    #expect(
      decoded.output
        == #"{"class":"TPV","mode":3,"lat":52.071666667,"lon":5.120000000,"altHAE":50.0000,"#
        + #""altMSL":5.0000,"alt":5.0000,"geoidSep":45.000,"hdop":0.90,"uSat":8}"# + "\n")
  }

  @Test("missing checksums are accepted on request") func believesMissingChecksumsWhenTold() throws
  {
    let scratch = try ScratchFolder()
    let decoded = try Program.run(
      "decode", try Self.recorded(scratch), "--accept-missing-checksums", "--stats")
    #expect(decoded.output.contains(#""time":"2026-05-01T12:00:00.000Z""#))
    #expect(decoded.messages.hasPrefix(#"{"bytes":"#))
    #expect(decoded.messages.contains(#""fixes":1,"#))
  }

  @Test("decode names an unreadable file, and the reason") func saysWhichFileCannotBeRead() throws {
    let scratch = try ScratchFolder()
    let absent = try Program.run("decode", scratch.file("absent.nmea"))
    #expect(absent.exitCode == 1 && absent.output == "")
    #expect(absent.messages.contains("cannot read \(scratch.file("absent.nmea")): No such file"))
    let folder = try Program.run("decode", scratch.path)
    #expect(folder.exitCode == 1)
    #expect(folder.messages.contains("Is a directory"))
  }

  @Test(
    "decode fails with the likely cause when a file contains no fix",
    arguments: [
      (Data(repeating: 0xA7, count: 5000), "it contains no NMEA"),
      (
        Data("$GPGGA,120000,5204.3000,N,00507.2000,E,1,08,0.9,5,M,,,,\r\n".utf8), "--accept-missing"
      ),
    ])
  func saysWhenNothingCouldBeRead(content: Data, words: String) throws {
    let scratch = try ScratchFolder()
    try content.write(to: URL(fileURLWithPath: scratch.file("garbage")))
    let decoded = try Program.run("decode", scratch.file("garbage"))
    #expect(decoded.exitCode == 1 && decoded.output == "")
    #expect(decoded.messages.contains(words), "\(decoded.messages)")
  }

  @Test("an empty input gives no output") func nothingInNothingOut() throws {
    let decoded = try Program.run("decode", "-")
    #expect(decoded.exitCode == 0 && decoded.output == "")
  }
}
