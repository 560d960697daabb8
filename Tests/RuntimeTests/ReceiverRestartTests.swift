import Records
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// Sends what the test puts in, and records the commands it receives.
private final class ToldReceiver: ReceiverPort {
  let name = "told receiver"
  let interest: Interest? = nil
  var waiting: [UInt8] = []
  var written: [[UInt8]] = []
  var refusal: PortError?
  var failure: PortError?

  func open() throws(PortError) {}

  func read(limit: Int) throws(PortError) -> [UInt8] {
    if let failure { throw failure }
    defer { waiting = [] }
    return waiting
  }

  func write(_ bytes: [UInt8]) throws(PortError) {
    if let refusal { throw refusal }
    written.append(bytes)
  }

  func close() {}
}

/// How a request to restart the receiver is handled.
@Suite struct ReceiverRestartTests {
  private let receiver = ToldReceiver()

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// A receiver that is kept on, and has sent data.
  private func runtime(
    _ family: ReceiverFamily?, isRelayed: Bool = false, order: GnssOverride = .on
  ) -> TrackerRuntime {
    let wiring = PowerWiring(family: family, mayAsk: !isRelayed)
    var settings = TrackerSettings()
    settings.power = PowerSequencer(wiring).capabilities
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(), wiring: wiring,
      devices: Devices(receiver: receiver))
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(order), at: at(1))
    hear("$PMTK011,MTKGPS*08", runtime, at: 2)
    receiver.written = []
    return runtime
  }

  private func hear(_ sentence: String, _ runtime: TrackerRuntime, at seconds: Double) {
    receiver.waiting = Array((sentence + "\r\n").utf8)
    runtime.receiverIsReadable(at: at(seconds))
  }

  private func restart(_ kind: RestartKind, _ runtime: TrackerRuntime) -> String? {
    ReceiverRestart(runtime).perform(kind, at: at(3))
  }

  private func outcome(_ runtime: TrackerRuntime) -> String? {
    StatusReport(runtime, at: at(10), started: .zero).json["gnss_restart"]?["outcome"]?.string
  }

  @Test("an accepted restart is reported, and the status has the bytes sent")
  func told() {
    let runtime = runtime(.mediatek)
    #expect(outcome(runtime) == nil)
    #expect(restart(.cold, runtime) == nil)
    #expect(receiver.written.map { String(decoding: $0, as: UTF8.self) } == ["$PMTK103*30\r\n"])
    #expect(outcome(runtime) == "awaited")
    #expect(runtime.tracker.counters.sessions == 2)
    hear("$PMTK010,001*2E", runtime, at: 4)
    #expect(outcome(runtime) == "acknowledged")
    let json = ReceiverRestart(runtime).json(at: at(10))
    #expect(json.text == #"{"kind":"cold","age_s":7,"outcome":"acknowledged","failure":null}"#)
  }

  @Test("a family without an acknowledgement counts as restarted once it was sent") func sent() {
    let runtime = runtime(.casic)
    #expect(restart(.warm, runtime) == nil && outcome(runtime) == "sent")
  }

  @Test("a missing acknowledgement is a failure") func unanswered() {
    let runtime = runtime(.airoha)
    #expect(restart(.warm, runtime) == nil)
    runtime.timePassed(at: at(6))
    #expect(outcome(runtime) == "unanswered")
    let failure = ReceiverRestart(runtime).json(at: at(7))["failure"]?.string
    #expect(failure?.contains("not acknowledged") == true)
  }

  @Test("a receiver that is off or not needed gets no command", arguments: [false, true])
  func off(hasBeenOn: Bool) {
    let runtime = runtime(.mediatek, order: hasBeenOn ? .on : .off)
    if hasBeenOn { runtime.command(.gnss(.off), at: at(2.5)) }
    let why = restart(.cold, runtime)
    #expect(why?.contains("switched off by command") == true)
    #expect(why?.contains("godwit gnss on") == true)
    #expect(receiver.written.isEmpty && outcome(runtime) == nil)
  }

  @Test("a family without a restart command gets none", arguments: [ReceiverFamily.simcom, .other])
  func noCommand(family: ReceiverFamily) {
    let runtime = runtime(family)
    #expect(restart(.hot, runtime) != nil)
    #expect(receiver.written.isEmpty && runtime.tracker.counters.sessions == 1)
  }

  @Test("a receiver that is lost, or silent so far, gets no command") func unreachable() {
    let silent = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(family: .ubloxM8), devices: Devices(receiver: receiver))
    silent.start(restoring: nil, at: .zero)
    silent.command(.gnss(.on), at: at(1))
    #expect(restart(.hot, silent)?.contains("does not accept commands") == true)
    let lost = runtime(.ubloxM8)
    receiver.failure = .lost("it was unplugged")
    lost.receiverIsReadable(at: at(2.5))
    #expect(restart(.hot, lost)?.contains("it was unplugged") == true)
    #expect(receiver.written.isEmpty)
  }

  /// Behind gpsd, or on a line that is full, a command that cannot be passed on is refused at once.
  @Test("what cannot be sent is refused, and leaves a session without a time to first fix")
  func unsent() {
    let runtime = runtime(.ubloxM8, isRelayed: true)
    receiver.refusal = .refused("gpsd passes nothing on (-b)")
    #expect(restart(.cold, runtime)?.contains("gpsd passes nothing on") == true)
    #expect(outcome(runtime) == "refused")
  }

  @Test("gpsd's later refusal is in the status") func gpsdRefuses() {
    let runtime = runtime(.ubloxM8, isRelayed: true)
    #expect(restart(.cold, runtime) == nil)
    hear(#"{"class":"ERROR","message":"Can't write to the device"}"#, runtime, at: 4)
    #expect(outcome(runtime) == "refused")
  }
}
