import ArgumentParser
import Glibc
import GodwitSettings
import Core
import Platform
import Runtime

/// `godwit doctor`: checks every part of the board and suggests remedies.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check every part of the board and advise what to do.",
    discussion: """
      The checks change and switch nothing and send nothing to the receiver. With --switch, the \
      receiver is switched on and off, to check that its output stops and its current falls, and \
      its state is restored. While the daemon runs, the receiver is not touched. Exit code 1 if a \
      check failed, 2 if the settings are invalid.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store to check. Default: store.path of the settings.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Option(
    name: .customLong("listen"), parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum wait for the receiver's first fix, 0 to 600.", valueName: "seconds"))
  var timeout = 20

  @Flag(name: .customLong("switch"), help: "Test the power switch: on, then off.")
  var triesSwitch = false

  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    guard (0...600).contains(timeout) else {
      throw ValidationError("--listen \(timeout): must be 0 to 600 seconds")
    }
  }

  func run() throws {
    let settings: Settings
    do {
      settings = try options.load().settings
    } catch let error as CommandError {
      try report(error.message.split(separator: "\n").map { .fail("settings", String($0)) })
      throw CommandError.wrongUsage("the settings are invalid, so nothing else was checked")
    }
    var findings = [Finding.ok("settings", "can be used")]
    let path = store ?? settings.store.path
    findings.append(StoreDiagnosis.finding(settings.store, path: path))
    findings.append(ControlDiagnosis.finding(settings.control))
    if let command = AlertCommandDiagnosis.finding(settings.alerts.command) {
      findings.append(command)
    }
    findings += UplinkDiagnosis.findings(
      settings.uplink, UplinkDiagnosis.lastReport(settings.control), at: BootClock.systemDate)
    if let people = PeopleDiagnosis.finding(settings) { findings.append(people) }
    let lines = SwitchDiagnosis.findings(settings)
    let isUntried = triesSwitch && lines.count(.fail) > 0
    if !triesSwitch || settings.powerSwitch.kind != .none { findings += lines }
    findings += MonitorDiagnosis.findings(settings)
    if let battery = BatteryDiagnosis.finding(settings) { findings.append(battery) }
    findings += SourcesDiagnosis.findings(settings)
    if let bluetooth = BluetoothDiagnosis.finding(settings, store: path) {
      findings.append(bluetooth)
    }
    findings += RadioMapDiagnosis.findings(settings, store: path)
    if let gpsd = GpsdDiagnosis.finding(settings) { findings.append(gpsd) }
    var receiver = ReceiverDiagnosis(
      settings.observedReceiver, mayBeOff: settings.powerSwitch.isReal && !triesSwitch)
    if isUntried {
      findings.append(.warn("switch", "not tested: its lines must be available first"))
    } else if triesSwitch {
      findings += try trial(settings, &receiver)
    } else {
      examine(&receiver)
    }
    findings += receiver.findings
    findings.append(
      ClockDiagnosis.finding(
        clock: BootClock.systemDate, receiver: receiver.lag, floor: settings.receiver.dateFloor))
    try report(findings)
    let failed = findings.count(.fail)
    if failed > 0 {
      throw CommandError.failed("\(failed) of \(Counted.text(findings.count, "check")) failed")
    }
  }

  private func examine(_ receiver: inout ReceiverDiagnosis) {
    receiver.examine(timeout: Seconds(Double(timeout)), progress: progress)
  }

  private func trial(
    _ settings: Settings, _ receiver: inout ReceiverDiagnosis
  ) throws -> [Finding] {
    if let holder = LineUser(settings.receiver) {
      throw CommandError.failed("--switch: \(holder.advice)")
    }
    // The supply is restored first.
    Interruption.watch()
    var trial = SwitchTrial(settings)
    trial.perform(
      examine: {
        examine(&receiver)
        return receiver.hasOutput
      }, progress: progress)
    guard !Interruption.isWanted else {
      let failure = trial.findings.first { $0.part == "switch.line" && $0.verdict == .fail }
      throw CommandError.failed(
        "interrupted; \(failure?.text ?? "the receiver's supply is as it was before")")
    }
    return trial.findings
  }

  private func report(_ findings: [Finding]) throws {
    try OutputBytes.print(json ? findings.json : findings.table)
  }

  private func progress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    var messages = StandardError()
    print(text, to: &messages)
  }
}

/// Checks the board's clock. Godwit itself takes the time from the receiver.
enum ClockDiagnosis {
  /// - Parameter receiver: how far the clock was behind the receiver's time; nil without a fix.
  static func finding(clock: UTCInstant, receiver lag: Seconds?, floor: UTCInstant) -> Finding {
    let shown = ISO8601.text(clock, digits: 0)
    let advice =
      "Godwit uses the receiver's time, but other programs do not: enable NTP "
      + "(timedatectl set-ntp true) or install a real-time clock"
    if clock < floor {
      return .warn("clock", "shows \(shown), which is long past. \(advice)")
    }
    guard let lag else { return .ok("clock", "shows \(shown)") }
    // Serial lines and gpsd deliver an epoch up to a second after its time.
    guard lag.magnitude > 5 else { return .ok("clock", "shows \(shown), the same as the receiver") }
    let seconds = Int(lag.magnitude.value.rounded())
    return .warn(
      "clock",
      "shows \(shown), \(seconds) s \(lag > 0 ? "behind" : "ahead of") the receiver. \(advice)"
    )
  }
}
