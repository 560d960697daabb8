import ArgumentParser
import Core

/// `godwit image ready`: run by an image's `godwit-good.service` before it keeps a new system.
struct ImageReadyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ready", abstract: "Check whether a new system works and can be kept.",
    discussion: """
      It is ready when the daemon answers, its store is writable, and a configured receiver has \
      sent any data, with or without a fix. A receiver that is off by command, or because the \
      energy budget is spent, is not waited for. Exit code 0 if it is ready, else 1 with the \
      reason.
      """)

  @OptionGroup var control: ControlOptions

  func run() throws {
    if let obstacle = Readiness(try control.query(.status)).obstacle {
      throw CommandError.failed(obstacle)
    }
    try OutputBytes.print("ready")
  }
}

/// Whether the daemon's status shows that a system works.
struct Readiness {
  /// Nil if the system is ready.
  let obstacle: String?

  init(_ status: JSONValue) {
    let receiver = status["receiver"]
    if let failure = status["store"]?["failure"]?.string {
      obstacle = "the store cannot be written: \(failure)"
    } else if receiver?["name"]?.string == nil || (receiver?["bytes"]?.number ?? 0) > 0 {
      obstacle = nil
    } else if let failure = receiver?["failure"]?.string {
      obstacle = "the receiver cannot be read: \(failure)"
    } else if StatusHealth.isOffByCommand(status) || status["budget"]?["is_spent"]?.bool == true {
      obstacle = nil
    } else {
      obstacle = "the receiver has sent nothing"
    }
  }
}
