import Core
import Records
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// Writes records without end and prints the number of each on standard output as soon as the store
/// has acknowledged it. The kill test ends it at moments that it cannot foresee.
@main struct StoreTorture {
  static func main() throws {
    guard CommandLine.arguments.count == 3, let first = Int64(CommandLine.arguments[2]) else {
      print("usage: store-torture FILE FIRST-NUMBER")
      exit(2)
    }
    let store = try GeoPackageStore(path: CommandLine.arguments[1])
    for number in first... {
      try store.write(records(number))
      var line = Array("\(number)\n".utf8)
      guard write(STDOUT_FILENO, &line, line.count) == line.count else { exit(1) }
    }
  }

  /// A track point, a visit that is updated by the next ten numbers, the session and the state.
  static func records(_ number: Int64) -> [Record] {
    let time = UTCInstant(nanoseconds: (1_777_593_600 + number) * 1_000_000_000)
    let position = Coordinate(
      latitude: Degrees(52 + Double(number % 1000) * 1e-4),
      longitude: Degrees(5 + Double(number % 777) * 1e-4))
    return [
      .session(GnssSession(id: number, on: time)),
      .trackPoint(
        TrackPoint(
          location: Location(time: time, position: position, accuracy: 5), reason: .scheduled,
          session: number)),
      .visit(
        Visit(
          id: number / 10, arrival: TimeEstimate(exactly: time), position: position, accuracy: 5,
          confidence: 1, locations: Int(number % 10))),
      .event(LogEvent("acknowledged", "record \(number)"), time: time),
      .trackerState(#"{"number":\#(number),"padding":"\#(String(repeating: "x", count: 600))"}"#),
    ]
  }
}
