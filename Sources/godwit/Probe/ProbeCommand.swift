import ArgumentParser
import Glibc
import GodwitSettings
import Core
import GNSS
import Ports

/// `godwit gnss probe`: identifies the receiver on the line, and its capabilities.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Identify the receiver and its abilities.",
    discussion: """
      Finds the speed of the line, queries make, model and firmware of the receiver without \
      changing anything, and prints the settings to write. It refuses to run while the daemon or \
      another program uses the line. With gpsd, it queries gpsd. Exit code 1 if nothing is \
      received.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    name: .customLong("listen"), parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum wait for the first output, 1 to 600.", valueName: "seconds"))
  var timeout = 20

  @Flag(
    name: .customLong("switch"),
    help: "Power the receiver with power_switch.supply for the probe; restore it afterwards.")
  var powersReceiver = false

  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    guard (1...600).contains(timeout) else {
      throw ValidationError("--listen \(timeout): must be 1 to 600 seconds")
    }
  }

  func run() throws {
    let all = try options.load().settings
    let settings = all.observedReceiver
    if let holder = LineUser(settings) { throw CommandError.failed(holder.advice) }
    let found: ReceiverIdentificationRun.Result?
    do {
      // The supply is restored first.
      if powersReceiver { Interruption.watch() }
      let supply = powersReceiver ? try supply(all.powerSwitch) : nil
      let result = Result { () throws(PortError) in
        try ReceiverIdentificationRun(settings: settings).run(timeout: Seconds(Double(timeout)))
      }
      try supply?.end()
      guard supply == nil || !Interruption.isWanted else {
        throw CommandError.failed("interrupted; the receiver's supply is as it was before")
      }
      found = try result.get()
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
    guard let found else {
      throw CommandError.wrongUsage(
        "receiver.kind is none, so there is nothing to probe; set it to \"serial\" or "
          + "\"gnss\" with receiver.device, or to \"gpsd\"")
    }
    try refuseSilence(
      found, settings, hint: powersReceiver ? "" : Self.hint(all.powerSwitch))
    let report = ProbeReport(result: found, powerSwitch: all.powerSwitch.kind)
    try OutputBytes.print(json ? report.json : report.text)
  }

  private func supply(_ settings: PowerSwitchSettings) throws -> TemporarySupply {
    guard let supply = try TemporarySupply(settings) else {
      throw CommandError.wrongUsage(
        "--switch: no line switches the receiver's supply; set power_switch.supply, or leave "
          + "--switch out")
    }
    return supply
  }

  /// Advice for a receiver that may have no supply.
  static func hint(_ power: PowerSwitchSettings) -> String {
    guard power.kind == .gpio, let supply = power.lines[.supply] else { return "" }
    return ". Its supply is switched by power_switch.supply = \"\(supply.text)\": use --switch to "
      + "power it for the probe"
  }

  private func refuseSilence(
    _ found: ReceiverIdentificationRun.Result, _ settings: ReceiverSettings, hint: String
  ) throws {
    guard found.protocols.isEmpty || (settings.kind == .gpsd && found.devices.isEmpty) else {
      return
    }
    if settings.kind == .gpsd {
      throw CommandError.failed(
        "\(found.line) serves no device; add it to DEVICES in /etc/default/gpsd or with gpsdctl "
          + "add")
    }
    guard found.bytes > 0 else {
      throw CommandError.failed(
        "nothing arrived from \(found.line) in \(timeout) s: check that the receiver is powered, "
          + "that its TX is wired to this line's RX, and receiver.device\(hint). It may be asleep "
          + "since an earlier run; the daemon wakes it")
    }
    throw CommandError.failed(
      "\(Counted.text(found.bytes, "byte")) arrived from \(found.line), but no complete "
        + "sentence: \(found.firstText.advice ?? ReceivedText.unreadable)")
  }
}
