import ArgumentParser
import Records
import Core
import Ports

struct PowerRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the current, with its statistics.",
    discussion: """
      Ends after --for seconds or when interrupted, and prints mean, spread, charge and energy. \
      Systematic (shunt, gain, offset) and statistical (scatter) uncertainty are separate standard \
      uncertainties (k = 1): the first does not decrease with more readings. The second is the \
      scatter of other recordings of the same load; for a slowly changing load, neighbouring \
      readings count as fewer. The total is half of the 95 % interval of both. Gaps of more than \
      two intervals are missing time.
      """)

  @OptionGroup var power: PowerOptions

  @Option(
    help: ArgumentHelp(
      "Output file for the readings: .csv, or .json with statistics and metadata: the "
        + "monitor, the program and host, and the time of the first reading (UTC).",
      valueName: "file"), completion: .file(extensions: ["csv", "json"]))
  var out: String?

  @Flag(
    help: """
      Accept reverse current: a battery is charged. Without this option, a recording with reverse \
      current has no energy, because VIN+ and VIN- of the monitor may be swapped.
      """)
  var charging = false
  @Flag(help: "Print the statistics as one JSON object.") var json = false

  func run() throws {
    let recording = try out.map { (path) throws in
      try power.source.options.protected().refuse(path, namedBy: "--out")
      return try PowerRecording(path: path)
    }
    let (monitor, _, configuration) = try power.source.monitor()
    let session = RecordingSession(
      monitor: monitor, interval: power.interval.map { Seconds($0) }, limit: power.limit)
    let recorded = RecordedReadings(
      of: monitor, configuration.settings, interval: session.step, into: recording,
      mayFlowBack: charging)
    try session.run(recorded)
    let (statistics, metadata) = try recorded.end()
    let objection = recorded.objection
    if let objection {
      StandardError.report("\(objection) So it has no energy; use --charging if this is intended")
    }
    if json {
      try OutputBytes.print(
        JSONValue.object([
          ("metadata", metadata),
          ("statistics", PowerJSON.statistics(statistics, hasEnergy: objection == nil)),
        ]).text)
    } else {
      try OutputBytes.print(Self.summary(statistics, monitor, hasEnergy: objection == nil))
    }
  }

  static func summary(
    _ of: PowerStatistics, _ monitor: any PowerMonitorPort, hasEnergy: Bool
  ) -> String {
    let current = of.current
    func mA(_ value: Amperes?) -> String { PowerText.milliamperes(value) }
    func ms(_ value: Seconds?) -> String {
      value.map { FixedDecimal.text($0.value * 1000, digits: 3) } ?? "-"
    }
    func figure(_ value: Double?) -> String {
      value.map { FixedDecimal.text($0, digits: 6) } ?? "-"
    }
    var page = TextPage(names: 8)
    page.add("monitor", monitor.name)
    page.add(
      "readings",
      "\(of.readings) new, \(Counted.text(of.duplicates, "duplicate")), \(of.failures) failed, "
        + "\(of.belowFloor) below floor"
        + (current.effectiveCount.map {
          ", as good as \(FixedDecimal.text($0, digits: 0)) independent ones"
        } ?? ""))
    page.add(
      "time",
      "\(FixedDecimal.text(of.measured.value, digits: 3)) s measured, "
        + "\(FixedDecimal.text(of.missing.value, digits: 3)) s missing in "
        + "\(Counted.text(of.gaps, "gap"))"
    )
    page.add(
      "jitter",
      "p50 \(ms(of.jitter.quantile(0.5))), p95 \(ms(of.jitter.quantile(0.95))), "
        + "max \(ms(of.jitter.maximum)) ms")
    page.add(
      "current",
      "mean \(mA(current.mean)), SD \(mA(current.standardDeviation)), min \(mA(current.minimum)), "
        + "max \(mA(current.maximum)), p2p \(mA(current.peakToPeak)) mA")
    page.add(
      "charge",
      "\(figure(of.charge.milliampereHours)) mAh ± "
        + "\(figure(of.systematicCharge.milliampereHours)) systematic, "
        + "± \(figure(of.statisticalCharge?.milliampereHours)) statistical; "
        + "± \(figure(of.expandedCharge?.milliampereHours)) total (95 %)")
    page.add(
      "energy",
      !hasEnergy
        ? "none: the current flows back"
        : "\(figure(of.energy.value)) J ± \(figure(of.systematicEnergy.value)) systematic, "
          + "± \(figure(of.statisticalEnergy?.value)) statistical; "
          + "± \(figure(of.expandedEnergy?.value)) total (95 %)")
    page.add(
      "counted",
      (hasEnergy ? of.accumulatedEnergy : nil).map { "\(figure($0.value)) J by the chip itself" })
    return page.text
  }
}
