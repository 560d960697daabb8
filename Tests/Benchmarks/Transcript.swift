/// Output of a receiver of four constellations at 1 Hz, like a u-blox M9's default: RMC, VTG, GGA,
/// five GSA, GSV of four constellations, GLL; about 1.1 kB per fix.
enum Transcript {
  static func bytes(seconds: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(seconds * 1200)
    for second in 0..<seconds {
      let clock = (second / 3600 % 24) * 10_000 + (second / 60 % 60) * 100 + second % 60
      let time = padded(clock, 6) + ".00"
      let day = padded(1 + second / 86_400 % 28, 2)
      let north = "52" + padded(5 + second / 6000 % 50, 2) + "." + padded(second * 37 % 100_000, 5)
      let east = "005" + padded(7 + second / 7000 % 50, 2) + "." + padded(second * 53 % 100_000, 5)
      let position = "\(north),N,\(east),E"
      let track = "\(second % 360).\(second % 10)"
      add("GNRMC,\(time),A,\(position),7.\(second % 10)12,\(track),\(day)0526,,,A,V", to: &bytes)
      add("GNVTG,\(track),T,,M,7.112,N,13.172,K,A", to: &bytes)
      add("GNGGA,\(time),\(position),1,12,0.58,12.\(second % 10),M,45.2,M,,", to: &bytes)
      for system in 1...5 {
        add("GNGSA,A,3,02,05,07,13,15,18,20,24,29,30,,,1.05,0.58,0.87,\(system)", to: &bytes)
      }
      for (talker, system) in [("GP", 1), ("GL", 1), ("GA", 7), ("GB", 1)] {
        for part in 1...3 {
          let sky = "02,35,108,41,05,71,277,46,07,12,030,33,13,44,211,\(second % 50)"
          add("\(talker)GSV,3,\(part),11,\(sky),\(system)", to: &bytes)
        }
      }
      add("GNGLL,\(position),\(time),A,A", to: &bytes)
    }
    return bytes
  }

  private static func add(_ body: String, to bytes: inout [UInt8]) {
    let sum = body.utf8.reduce(0, ^)
    bytes.append(UInt8(ascii: "$"))
    bytes.append(contentsOf: body.utf8)
    bytes.append(
      contentsOf: "*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n".utf8)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// Prints the transcript, as input for other programs.
enum TranscriptBenchmark {
  static func run(_ arguments: [String]) {
    let seconds = arguments.first.flatMap { Int($0) } ?? 86_400
    Transcript.bytes(seconds: seconds).withUnsafeBytes { StandardOutput.write($0) }
  }
}
