import Foundation
import Ports
import Core
import Testing
import VirtualDevice

let gpsdecode = ["/usr/bin/gpsdecode", "/usr/local/bin/gpsdecode"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

@Suite struct NMEAOutputTests {
  func spoken(_ language: VirtualReceiverSettings.OutputProtocol = .nmea) throws -> [UInt8] {
    let board = VirtualBoard(
      groundTruth: drive(seconds: 200),
      settings: .init(receiver: .init(language: language), coarse: nil, seed: 3))
    try board.receiver.open()
    try board.powerSwitch.set(.supply, active: true)
    return try board.listen(for: 120)
  }

  @Test("every sentence has its checksum and at most 80 bytes")
  func everySentenceHasItsChecksumAndLength() throws {
    let lines = sentences(try spoken())
    #expect(lines.count > 600)
    for line in lines {
      #expect(line.utf8.count <= 80, "\(line)")
      let parts = line.dropFirst().split(separator: "*")
      let sum = parts[0].utf8.reduce(UInt8(0)) { $0 ^ $1 }
      #expect(line.first == "$" && parts.count == 2 && UInt8(parts[1], radix: 16) == sum)
    }
  }

  @Test("nothing is reported before it is known") func nothingIsToldBeforeItIsKnown() throws {
    let lines = sentences(try spoken()).filter { $0.contains("RMC") }
    // A cold start knows neither time nor date nor position.
    #expect(lines[0].hasPrefix("$GNRMC,,V,,,,,,,,,,N*"))
    let withTime = try #require(lines.firstIndex { !$0.hasPrefix("$GNRMC,,") })
    let withPlace = try #require(lines.firstIndex { $0.contains(",A,") })
    #expect(0 < withTime && withTime < withPlace)
    #expect(lines[withTime].contains(",V,,,,,,,010526,"))
  }

  /// Decoders use it to detect the end of an epoch.
  @Test("every epoch has the same first and last sentence")
  func everyEpochHasTheSameFirstAndLastSentence() throws {
    let names = sentences(try spoken()).map { $0.dropFirst(3).prefix(3) }
    #expect(names.first == "RMC" && names.last == "GST")
    for (name, next) in zip(names, names.dropFirst()) {
      #expect((name == "GST") == (next == "RMC"))
    }
  }

  /// Time and position of every fix, as gpsd's own decoder reads the bytes.
  func decodedByGpsd(_ bytes: [UInt8]) throws -> [(time: String, position: Coordinate)] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: gpsdecode!)
    process.arguments = ["-j"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    return try lines.compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard object?["class"] as? String == "TPV", object?["mode"] as? Int == 3,
        let time = object?["time"] as? String, let latitude = object?["lat"] as? Double,
        let longitude = object?["lon"] as? Double
      else { return nil }
      return (time, Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude)))
    }
  }

  @Test(
    "gpsd decodes it and finds the truth",
    .enabled(if: gpsdecode != nil, "SKIPPED: gpsdecode is missing, install gpsd-clients"),
    arguments: VirtualReceiverSettings.OutputProtocol.allCases)
  func gpsdUnderstandsItAndFindsTheTruth(language: VirtualReceiverSettings.OutputProtocol) throws {
    let fixes = try decodedByGpsd(try spoken(language))
    #expect(fixes.count >= 60)
    let truth = drive(seconds: 200)
    var far = 0
    for fix in fixes {
      let time = try #require(try? Date(fix.time, strategy: Self.milliseconds))
      let expected = try #require(truth.state(at: UTCInstant(seconds: time.timeIntervalSince1970)))
      let north = (fix.position.latitude.value - expected.position.latitude.value) * 111_195
      let east = (fix.position.longitude.value - expected.position.longitude.value) * 66_580
      if north.magnitude > 10 || east.magnitude > 10 { far += 1 }
    }
    // Only the first fixes after a start may lie far off.
    #expect(far <= 12)
  }

  static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
