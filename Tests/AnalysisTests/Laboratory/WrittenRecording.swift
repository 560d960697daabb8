import Analysis
import Testing

/// Recordings as text, for reading back.
struct WrittenRecording {
  var metadata = #"{"monitor":"ina226 at 1-0040","chip":"ina226","shunt_mOhm":100,"host":"board"}"#
  /// Time and current, in seconds and milliamperes.
  var samples: [(time: Double, current: Double)]
  /// In volts.
  var voltage = 5.0

  /// A constant current with ten readings per second.
  static func steady(_ current: Double, for seconds: Int) -> WrittenRecording {
    WrittenRecording(samples: (0...(10 * seconds)).map { (Double($0) / 10, current) })
  }

  var json: String {
    let rows = samples.map {
      #"{"time_s":\#($0.time),"current_mA":\#($0.current),"current_uncertainty_mA":0.5,"#
        + #""voltage_V":\#(voltage),"voltage_measured":true,"below_floor":false,"new":true}"#
    }
    return "{\"metadata\":\(metadata),\n\"samples\":[\n" + rows.joined(separator: ",\n")
      + "],\n\"statistics\":{\"readings\":\(samples.count)}}\n"
  }

  var csv: String {
    "time_s,current_mA,current_uncertainty_mA,voltage_V,power_mW,below_floor,new\n"
      + samples.map { "\($0.time),\($0.current),0.5,\(voltage),\($0.current * voltage),0,1\n" }
      .joined()
  }

  func run(_ file: String = "a.json") throws -> RecordedRun { try Self.read(json, file) }

  static func read(
    _ text: String, _ file: String = "a.json", piece: Int = 1 << 20
  ) throws -> RecordedRun {
    var reader = RecordingReader(file: file)
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      try Array(bytes[start..<end]).withUnsafeBufferPointer { try reader.feed($0) }
      start = end
    }
    return try reader.finish()
  }
}
