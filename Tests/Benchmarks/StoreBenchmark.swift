import Glibc
import Core
import Records
import Store

/// The disk writes of a day of hybrid tracking: bytes that the process caused to be written, as the
/// kernel counts them (proc(5), /proc/self/io).
enum StoreBenchmark {
  /// Arguments: a folder on the disk to measure (not a tmpfs), and the number of days.
  static func run(_ arguments: [String]) throws {
    let folder = arguments.first ?? "."
    let days = arguments.dropFirst().first.flatMap { Int($0) } ?? 30
    for interval in [3600, 1800, 900, 300] {
      let path = "\(folder)/godwit-bench-\(getpid()).gpkg"
      defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
      try measure(path, days: days, interval: interval)
    }
  }

  private static func measure(_ path: String, days: Int, interval: Int) throws {
    let store = try GeoPackageStore(path: path)
    let before = DiskTraffic.now
    var waiting: [Record] = []
    var commits = 0
    var records = 0
    for look in 0..<(days * 288) {
      waiting += HybridDay.records(look)
      guard (look + 1) * 300 % interval == 0 else { continue }
      // A record with an id replaces the earlier waiting record of that id, as in the daemon.
      try store.write(waiting + [.trackerState(HybridDay.state(look))])
      records += waiting.count
      commits += 1
      waiting.removeAll()
    }
    let open = DiskTraffic.now
    try store.close()
    let after = DiskTraffic.now
    let name = "store: commits every \(interval) s"
    func perDay(_ bytes: Int) -> String { Stopwatch.text(Double(bytes) / Double(days) / 1000) }
    print("\(name): \(records / days) records and \(commits / days) commits per day")
    print("\(name): \(perDay(open.calls - before.calls)) kB per day in write calls")
    print("\(name): \(perDay(after.device - before.device)) kB per day to the disk")
    var status = stat()
    stat(path, &status)
    print("\(name): the file grows by \(perDay(Int(status.st_size))) kB per day")
  }
}

/// A day as the tracker records it: a fix attempt every five minutes, each with its session, its
/// point and two decisions; a visit of an hour that each attempt updates, and half an hour's walk.
enum HybridDay {
  static func records(_ look: Int) -> [Record] {
    let time = UTCInstant(nanoseconds: (1_777_593_600 + Int64(look) * 300) * 1_000_000_000)
    let isMoving = look % 18 >= 12
    let step = isMoving ? Double(look % 288) * 1e-3 : Double(look / 18) * 6e-3
    var session = GnssSession(id: Int64(look + 1), on: time)
    session.off = time + 12
    session.duration = 12
    session.timeToFirstFix = 3.5
    session.fixesAccepted = 2
    session.outcome = .fixObtained
    session.charge = 0.35
    session.energy = 1.16
    var records: [Record] = [
      .event(LogEvent("gnss-on", "a location was due, 300 s after the last"), time: time),
      .session(session),
      .event(LogEvent("gnss-off", "found after 3.5 s; next look in 300 s"), time: time + 12),
    ]
    for second in stride(from: 0.0, to: isMoving ? 240 : 100, by: 120) {
      let position = Coordinate(
        latitude: Degrees(52.0123457 + step + second * 1e-6), longitude: Degrees(5.0765431 + step))
      records.append(
        .trackPoint(
          TrackPoint(
            location: Location(
              time: time + Seconds(second), position: position, accuracy: 4.3, speed: 1.27,
              track: 93.7,
              altitude: 12.9), reason: .scheduled, session: Int64(look + 1))))
    }
    if !isMoving {
      records.append(
        .visit(
          Visit(
            id: Int64(look / 18 + 1), arrival: TimeEstimate(exactly: time),
            departure: look % 18 == 11 ? TimeEstimate(exactly: time) : nil,
            position: Coordinate(
              latitude: Degrees(52.0123 + step), longitude: Degrees(5.0765 + step)),
            accuracy: 3.1, confidence: 0.93, locations: look % 18, destination: 4)))
    }
    return records
  }

  /// About as long as the tracker's own state.
  static func state(_ look: Int) -> String {
    #"{"look":\#(look),"rest":"\#(String(repeating: "0123456789", count: 150))"}"#
  }
}

/// Bytes that this process has written, counted by the kernel.
struct DiskTraffic {
  /// Bytes passed to write calls.
  var calls = 0
  /// Bytes that have to reach a disk.
  var device = 0

  static var now: DiskTraffic {
    var traffic = DiskTraffic()
    let bytes = (try? FileBytes.read("/proc/self/io")) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let value = Int(words[1]) else { continue }
      if words[0] == "wchar:" { traffic.calls = value }
      if words[0] == "write_bytes:" { traffic.device = value }
    }
    return traffic
  }
}
