import ArgumentParser
import Notation
import Ports
import Quantities
import ReceiverProtocols
import Runtime
import Store
import VirtualDevice

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a recording through the real pipeline and store the results.",
    discussion: """
      Recordings: NMEA, UBX, gpsd JSON, GPX, GeoLife PLT, CSV with a header \
      (time,lat,lon[,ele,hacc,speed]). Nothing is withheld: every fix of the recording is seen. \
      Compare 'godwit simulate', where the receiver is switched.
      """)

  @Argument(help: "The recording; '-' reads standard input.", completion: .file()) var trace: String
  @OptionGroup var options: ConfigOptions
  @Option(
    help: ArgumentHelp("Store file; must not exist yet.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String
  @Flag(help: "Print the summary as one JSON object.") var json = false

  func run() throws {
    let configuration = try options.load()
    let composition = Composition(settings: configuration.settings, world: .replay)
    var provenance = Provenance(kind: .replayed, configuration: configuration)
    var decoding = composition.decoderOptions
    // No lower limit for a recording's dates: it may be older than any sensible floor.
    decoding.earliestDate = nil
    let file = try TraceFile(trace, decoderOptions: decoding)
    let run = try NewStore.fill(store, beside: options.protected()) { store in
      var devices = Devices(store: store)
      // The same recording gives the same records.
      devices.chance = SeededRandom(seed: 0)
      let runtime = try composition.runtime(
        devices: devices, decoderOptions: decoding, policy: .continuous, at: .zero)
      runtime.start(restoring: nil, at: .zero)
      let end = try play(file, to: runtime)
      runtime.stop(at: end)
      if let failure = runtime.storeHealth.failure { throw CommandError.failed(failure) }
      guard runtime.tracker.counters.epochs > 0 else { throw file.holdsNothing }
      let run = RunSummary(runtime, duration: end - .zero, end: end)
      provenance.policy = run.policy
      provenance.details = [("trace", try file.provenance())]
      try store.write([provenance.record])
      return run
    }
    let summary = TraceSummary(run: run, provenance: provenance, losses: file.losses)
    summary.warn(path: trace)
    try OutputBytes.print(json ? summary.json.text : summary.text)
  }

  /// The recording's first time is the board's zero. Time never runs backwards for the runtime,
  /// whatever the recording contains: the validation refuses such fixes.
  private func play(_ file: TraceFile, to runtime: TrackerRuntime) throws -> BootInstant {
    var first: UTCInstant?
    var now = BootInstant.zero
    func clock(_ fix: Fix) -> BootInstant? {
      if let time = fix.time {
        first = first ?? time
        let elapsed = time - (first ?? time)
        if elapsed > now - .zero, elapsed < .days(36_600) { now = .zero + elapsed }
      }
      return now
    }
    if file.isReceiverLog {
      while let bytes = try file.nextBytes() { runtime.replay(bytes, clock: clock) }
      runtime.replay(nil, clock: clock)
    } else {
      while let sample = file.nextSample() {
        let fix = sample.fix
        if let now = clock(fix) { runtime.replay(fix, at: now) }
      }
      if let failure = file.failure { throw failure }
    }
    return now
  }
}
