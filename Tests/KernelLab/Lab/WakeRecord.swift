import Foundation

/// The daemon's wake-ups per minute, and their causes.
struct WakeRecord {
  static let file = "wakes.csv"
  private static let step = 60.0
  /// An edge wakes twice, when it arrives and when the mask ends; and once more, when the tracker
  /// considers the board at rest (`MotionWatch.quiet`).
  private static let aftermath = 60.0
  /// Records of an edge or a fix attempt are committed after this time (`store.commit_interval_s`).
  private static let commit = 900.0

  private struct Minute {
    let end: Double
    let wakes: Double
  }

  private let minutes: [Minute]

  /// Inside the kernel: waits, and stores the record in the results.
  static func keep(of daemon: GuestDaemon, for seconds: Double) throws {
    var rows: [String] = []
    let began = Kernel.uptime
    while Kernel.uptime - began < seconds {
      let wakes = try daemon.wakes { sleep(UInt32(step)) }
      rows.append("\(Kernel.uptime),\(Int(wakes))")
    }
    try rows.joined(separator: "\n").write(
      toFile: Bench.results + "/" + file, atomically: false, encoding: .utf8)
  }

  init(_ text: String) throws {
    minutes = try text.split(separator: "\n").map { row in
      let fields = row.split(separator: ",").compactMap { Double($0) }
      try require(fields.count == 2, "\(Self.file): '\(row)' is no entry")
      return Minute(end: fields[0], wakes: fields[1])
    }
  }

  /// - Parameters:
  /// - stays: when the board was actually at rest.
  /// - edges: when its motion sensor pulsed.
  /// - line: when the receiver had its supply, which the schedule requests.
  func figures(
    in stays: [ClosedRange<Double>], edges: [Double], line: [ClosedRange<Double>]
  ) -> [Figure] {
    let resting = minutes.filter { minute in
      stays.contains { $0.contains(minute.end - Self.step) && $0.contains(minute.end) }
    }
    func isCaused(_ minute: Minute, after delay: Double = 0) -> Bool {
      let end = minute.end - delay
      let range = (end - Self.step - Self.aftermath)...end
      return edges.contains { range.contains($0) } || line.contains { $0.overlaps(range) }
    }
    let quiet = resting.filter { !isCaused($0) }
    let committing = quiet.filter { isCaused($0, after: Self.commit) }
    let uncaused = quiet.filter { !isCaused($0, after: Self.commit) }
    let felt = edges.count { edge in stays.contains { $0.contains(edge) } }
    let hours = Double(resting.count) * Self.step / 3600
    return [
      Figure("edges felt at rest", Double(felt)),
      Figure("wakes at rest in an hour", resting.map(\.wakes).reduce(0, +) / hours, atMost: 60),
      Figure(
        "of them to commit what an edge or a look has left in an hour",
        committing.map(\.wakes).reduce(0, +) / hours, atMost: 2),
      Figure(
        "of them for none of these", uncaused.map(\.wakes).reduce(0, +), atMost: 0,
        isHeadline: true),
      Figure("minutes of rest for none of these", Double(uncaused.count), atLeast: 60),
    ]
  }
}
