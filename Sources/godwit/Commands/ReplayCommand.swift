import ArgumentParser
import Formats
import Core
import Ports
import GNSS
import Runtime
import Store
import VirtualDevice

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a recording through the real pipeline and store the results.",
    discussion: """
      Recordings: \(TraceOptions.formats). Every fix of the recording is processed, unlike \
      'godwit simulate', which switches the receiver. \(TraceOptions.order) \
      The output of a receiver keeps its order. During a gap of more than 15 minutes the receiver \
      counts as off.
      """)

  @Argument(help: "Recording, or - for standard input.", completion: .file()) var trace: String
  @OptionGroup var options: ConfigOptions
  @OptionGroup var traceOptions: TraceOptions
  @Option(
    help: ArgumentHelp("New store file; must not exist yet.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String
  @Flag(help: "Print the summary as one JSON object.") var json = false

  func run() throws {
    let configuration = try options.load()
    let composition = Composition(settings: configuration.settings, world: .replay)
    var provenance = Provenance(kind: .replayed, configuration: configuration)
    var decoding = composition.decoderOptions
    // A recording may be older than any sensible date floor of a present board.
    decoding.earliestDate = nil
    let file = try TraceFile(trace, decoderOptions: decoding)
    let now = SystemCalendar.date(notBefore: configuration.settings.receiver.dateFloor)?.date
    let findings = try prepare(file, now: now)
    var dates = ReplayDates()
    let (run, refusals) = try NewStore.fill(store, beside: options.protected()) { store in
      var devices = Devices(store: store)
      // The same recording gives the same records.
      devices.random = SeededRandom(seed: 0)
      let runtime = try composition.runtime(
        devices: devices, decoderOptions: decoding, policy: .continuous, at: .zero)
      runtime.start(restoring: nil, at: .zero)
      try play(file, to: runtime, &dates)
      let end = dates.now
      runtime.stop(at: end)
      if let failure = runtime.storeHealth.failure { throw CommandError.failed(failure) }
      let refusals = ReplayRefusals(runtime)
      if let cause = refusals.causeOfNothing { throw CommandError.failed("\(trace): \(cause)") }
      guard runtime.tracker.counters.epochs > 0 else { throw file.noPositionError }
      let run = RunSummary(runtime, duration: end - .zero, end: end)
      provenance.policy = run.policy
      provenance.details = [("trace", try file.provenance())]
      try store.write([provenance.record])
      return (run, refusals)
    }
    let sentences = dates.sentences(now: now) + refusals.sentences
    let remarks = sentences + [findings?.span.holesSentence].compactMap { $0 }
    let summary = TraceSummary(
      run: run, provenance: provenance, losses: file.losses, findings: findings,
      wrongDates: file.isReceiverLog ? dates.wrong : nil,
      datesCorrected: file.isReceiverLog ? dates.corrected : nil,
      earlierLeftOut: file.isReceiverLog ? dates.earlier.count : nil, remarks: remarks)
    StandardError.report(remarks, of: trace)
    try OutputBytes.print(json ? summary.json.text : summary.text)
  }

  /// Checks a whole trace before it is used. A receiver's output is streamed.
  private func prepare(_ file: TraceFile, now: UTCInstant?) throws -> TraceFindings? {
    guard file.isReceiverLog else {
      let findings = try file.prepare(individual: traceOptions.individual, now: now)
      StandardError.report(file.sentences, of: trace)
      return findings
    }
    guard traceOptions.individual == nil else {
      throw CommandError.wrongUsage(
        "--individual: \(trace) is the output of a receiver, which names no individuals")
    }
    return nil
  }

  /// Plays the recording; its first time is the board's time zero.
  private func play(
    _ file: TraceFile, to runtime: TrackerRuntime, _ dates: inout ReplayDates
  ) throws {
    let take = { (fix: Fix, pause: BootInstant?, now: BootInstant) in
      if let pause { runtime.interruptReplay(at: pause) }
      runtime.replay(fix, at: now)
    }
    if file.isReceiverLog {
      while let bytes = try file.nextBytes() {
        for fix in runtime.receiver.fixes(inRecording: bytes) { dates.process(fix, take) }
      }
      for fix in runtime.receiver.fixes(inRecording: nil) { dates.process(fix, take) }
      dates.finish(take)
    } else {
      while let sample = file.nextSample() { dates.pass(sample.fix, take) }
      if let failure = file.failure { throw failure }
    }
  }
}
