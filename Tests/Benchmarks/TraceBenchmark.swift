import Formats

/// Dense traces from bytes in memory to samples, fed in pieces like a file.
enum TraceBenchmark {
  private static let piece = 1 << 16

  static func run(_ arguments: [String]) throws {
    if let path = arguments.first {
      let bytes = try FileBytes.read(path)
      guard let format = TraceFormat.detect(head: Array(bytes.prefix(4096)))
      else {
        return print("trace: \(path) is no trace")
      }
      return measure(path, bytes, format)
    }
    measure("csv", csv(), .csv)
    measure("gpx", gpx(), .gpx)
  }

  private static func measure(_ name: String, _ bytes: [UInt8], _ format: TraceFormat) {
    var count = 0
    let seconds = Stopwatch.best {
      guard var reader = TraceReader(format) else { return }
      var rows: [TraceRow] = []
      count = 0
      do {
        try bytes.withUnsafeBufferPointer { all in
          for start in stride(from: 0, to: all.count, by: piece) {
            let end = min(start + piece, all.count)
            try reader.feed(UnsafeBufferPointer(rebasing: all[start..<end]), into: &rows)
            count += rows.count
            rows.removeAll(keepingCapacity: true)
          }
        }
        try reader.finish(into: &rows)
      } catch { print("trace: \(error)") }
      count += rows.count
    }
    let megabytes = Double(bytes.count) / 1e6
    print("trace: \(name): \(Stopwatch.text(megabytes)) MB, \(count) samples")
    print("trace: \(name): \(Stopwatch.text(megabytes / seconds)) MB/s")
    print("trace: \(name): \(Stopwatch.text(Double(count) / seconds)) samples/s")
  }

  private static func csv() -> [UInt8] {
    var text = Array("time,lat,lon,ele,hacc,speed\n".utf8)
    for second in 0..<86_400 {
      let clock = [second / 3600, second / 60 % 60, second % 60].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }
      let wander = Double(second) * 1e-6
      let time = "2026-05-01T\(clock.joined(separator: ":")).000Z"
      text += Array("\(time),\(52 + wander),\(5 - wander),3.25,4.5,1.5\n".utf8)
    }
    return text
  }

  private static func gpx() -> [UInt8] {
    var text = Array("<gpx><trk><trkseg>\n".utf8)
    for second in 0..<86_400 {
      let clock = [second / 3600, second / 60 % 60, second % 60].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }
      let wander = Double(second) * 1e-6
      text += Array(
        """
        <trkpt lat="\(52 + wander)" lon="\(5 - wander)"><ele>3.25</ele>\
        <time>2026-05-01T\(clock.joined(separator: ":"))Z</time></trkpt>\n
        """.utf8)
    }
    return text + Array("</trkseg></trk></gpx>\n".utf8)
  }
}
