import Foundation
import Hardware
import KernelHardware
import GNSS

/// Exercises GpioSwitch on chips that a real kernel simulates. Runs as root inside the kernel
/// laboratory, prints one line per check, and a verdict at the end.
@main struct SwitchExercise {
  static func main() {
    do {
      let bench = try Workbench()
      var tally = Tally()
      for check in FindingChecks.all + LevelChecks.all + LossChecks.all {
        tally.run(check, on: bench)
      }
      print("switch-exercise: \(tally.verdict), \(LineCheck.library)")
      exit(tally.failed == 0 ? 0 : 1)
    } catch {
      print("switch-exercise: FAILED: the chips cannot be had: \(error)")
      exit(2)
    }
  }
}

/// A named check.
struct Check: Sendable {
  let name: String
  let body: @Sendable (Workbench) throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Workbench) throws -> Void) {
    self.name = name
    self.body = body
  }
}

struct Tally {
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var skipped = 0

  mutating func run(_ check: Check, on bench: Workbench) {
    do {
      try bench.reset()
      try check.body(bench)
      passed += 1
      print("ok    \(check.name)")
    } catch let missing as Missing {
      skipped += 1
      print("skip  \(check.name): \(missing.what)")
    } catch {
      failed += 1
      print("FAIL  \(check.name): \(error)")
    }
  }

  var verdict: String {
    (failed == 0 ? "passed" : "FAILED") + ": \(passed) of \(passed + failed) checks"
      + (skipped > 0 ? ", \(skipped) skipped" : "")
  }
}

/// A kernel feature that a check needs and this kernel lacks.
struct Missing: Error { let what: String }

struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw Unexpected(message()) }
}
