import Glibc
import Core
import VirtualDevice

/// The motion sensor of the board: pulses on its line where the virtual one gives an edge. What
/// really moved goes into the log.
struct MotionPin {
  /// gpio-sim's file: "pull-up" makes the line high.
  private let pull: String
  private let truth: any GroundTruth
  private var isMoving = false
  private var seen = BootInstant.zero

  /// - Parameter folder: gpio-sim's, of the line.
  init(folder: String, of board: VirtualBoard) {
    pull = folder + "/pull"
    // A truth of its own: who asks the board's changes what the receiver notices.
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
