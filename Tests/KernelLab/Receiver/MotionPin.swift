import Glibc
import Core
import VirtualDevice

/// The board's motion sensor: pulses on its line at the virtual sensor's edges. The actual
/// movements go into the log.
struct MotionPin {
  /// gpio-sim's file: "pull-up" makes the line high.
  private let pull: String
  private let truth: any GroundTruth
  private var isMoving = false
  private var seen = BootInstant.zero

  /// - Parameter folder: gpio-sim's folder of the line.
  init(folder: String, of board: VirtualBoard) {
    pull = folder + "/pull"
    // A separate copy, because reading the board's truth changes what the receiver notices.
    truth = board.groundTruth.another()
  }

  mutating func follow(_ board: VirtualBoard, to now: BootInstant, _ log: ReceiverLog) {
    while seen + 1 <= now {
      seen = seen + 1
      let moves = truth.state(at: board.time(at: seen)).map { $0.speed > 0.5 } ?? false
      if moves != isMoving { log.write("moving", moves ? "1" : "0", at: seen) }
      isMoving = moves
    }
    for source in board.sources where source.kind == .motion {
      while let _ = try? source.poll() {
        write("pull-up")
        write("pull-down")
        log.write("motion", "edge", at: now)
      }
    }
  }

  private func write(_ level: String) {
    let file = open(pull, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = Glibc.write(file, level, level.utf8.count)
    close(file)
  }
}
