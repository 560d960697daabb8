import Foundation
import ReceiverStandIns

/// `godwit gnss probe --switch` on a working board; `godwit doctor --switch` there, on one whose
/// receiver has another supply, and on one whose line supplies nothing.
struct DoctorScenario: Scenario {
  let name = "doctor"

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    try require(try probe(["--listen", "5"]) == 1, "a probe finds a receiver without a supply")
    try require(
      try probe(["--listen", "30", "--switch"]) == 0, "a probe that powers the receiver fails")
    try require(try probe(["--listen", "5"]) == 1, "the receiver has a supply after the probe")
    try interruptProbe(bench)

    let healthy = try examine()
    try require(
      healthy.values.allSatisfy { $0 == "ok" } && healthy["switch.current"] != nil,
      "on a board that works it says \(healthy)")

    try supply(always: "1")
    let bypassed = try examine()
    for check in ["switch.off", "switch.current"] {
      try require(bypassed[check] == "fail", "with a supply of its own: \(check) in \(bypassed)")
    }

    try supply(always: "0")
    let dead = try examine()
    try require(dead["switch.on"] == "fail", "without any supply: \(dead)")
    return [
      Figure("checks of a board that works", Double(healthy.count), atLeast: 10),
      Figure("failed where the line switches nothing", Double(failures(bypassed)), atLeast: 2),
      Figure("failed where the receiver has no supply", Double(failures(dead)), atLeast: 2),
    ]
  }

  private func failures(_ verdicts: [String: String]) -> Int {
    verdicts.values.count { $0 == "fail" }
  }

  /// From here on the receiver no longer follows the line.
  private func supply(always level: String) throws {
    let folder = "/run/supply-\(level)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try level.write(toFile: folder + "/value", atomically: false, encoding: .utf8)
    unlink("/run/supply-line")
    try FileManager.default.createSymbolicLink(
      atPath: "/run/supply-line", withDestinationPath: folder)
  }

  private func settings() throws -> String {
    let file = "/run/doctor.toml"
    try GuestDaemon.board.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }

  private func startProbe(_ options: [String]) throws -> ChildProcess {
    let arguments = ["gnss", "probe"] + options + ["--config", try settings()]
    return try ChildProcess(Bench.godwit, arguments).required("the probe does not start")
  }

  /// Ctrl-C while the probe powers the receiver.
  private func interruptProbe(_ bench: Bench) throws {
    func isSupplied() throws -> Bool {
      try String(contentsOfFile: "/run/supply-line/value", encoding: .utf8).hasPrefix("1")
    }
    let process = try startProbe(["--listen", "10", "--switch"])
    try bench.wait("the probe powers the receiver", for: 10, until: isSupplied)
    process.signal(SIGINT)
    let code = try process.exitCode(within: 60).required("the interrupted probe does not end")
    try require(code == 1 && process.says("interrupted"), "interrupted: \(process.text)")
    try require(try !isSupplied(), "the receiver has a supply after an interrupted probe")
  }

  /// The exit code of the probe.
  private func probe(_ options: [String]) throws -> Int32 {
    let process = try startProbe(options)
    let code = try process.exitCode(within: 120).required("the probe does not end")
    print(process.text)
    return code
  }

  /// The result of every check by its name.
  private func examine() throws -> [String: String] {
    let file = try settings()
    let process = try ChildProcess(
      Bench.godwit,
      [
        "doctor", "--switch", "--listen", "30", "--config", file, "--set", "control.group=root",
        "--set", "control.socket=\(GuestDaemon.socket)",
        "--store", "/run/doctor.gpkg",
      ]
    ).required("the doctor does not start")
    _ = try process.exitCode(within: 300).required("the doctor does not end")
    let said = process.text
    print(said)
    let verdicts = said.split(separator: "\n").compactMap { line -> (String, String)? in
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 2, ["ok", "warn", "fail", "look"].contains(words[0]) else { return nil }
      return (String(words[1]), String(words[0]))
    }
    return Dictionary(verdicts) { first, _ in first }
  }
}
