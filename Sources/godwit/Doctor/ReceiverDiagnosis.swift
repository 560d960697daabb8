import GodwitSettings
import Core
import Platform
import Ports
import GNSS
import Runtime

/// Checks that the receiver is connected and understood, and has satellite reception.
struct ReceiverDiagnosis {
  private let settings: ReceiverSettings
  private let mayBeOff: Bool
  private(set) var findings: [Finding] = []
  /// How far the board's clock was behind the receiver's time at its last fix.
  private(set) var lag: Seconds?

  private var decoder = ReceiverDecoder()
  private var fix: Fix?
  private var fixes = 0
  private var satellitesInView: Int?
  private var firstText = ReceivedText()
  /// The last reported state; nil: it reports none.
  private var antenna: AntennaState?

  /// - Parameter mayBeOff: whether there is a switch and the receiver was not switched on for the
  ///   check.
  init(_ settings: ReceiverSettings, mayBeOff: Bool = false) {
    self.settings = settings
    self.mayBeOff = mayBeOff
  }

  /// Listens until there is a complete fix, for at most `timeout`.
  mutating func examine(timeout: Seconds, progress: (String) -> Void) {
    guard let port = ConfiguredDevices.receiver(settings) else {
      findings = [.ok("receiver", "receiver.kind is none: positions come from coarse sources only")]
      return
    }
    if let holder = LineUser(settings) {
      findings = [
        holder.isDaemon
          ? .ok("receiver", "\(settings.serial.path) is in use by the daemon; see godwit status")
          : .fail("receiver.line", holder.advice)
      ]
      return
    }
    progress("waiting for a fix from \(port.name), at most \(Int(timeout.value)) s ...")
    do {
      try listen(to: port, until: BootClock.now + timeout)
      findings.append(.ok("receiver.line", "\(port.name) is open"))
      findings += evaluate(name: port.name, after: timeout)
    } catch {
      findings.append(.fail("receiver.line", error.message))
    }
    port.close()
  }

  private mutating func listen(
    to port: any ReceiverPort, until end: BootInstant
  ) throws(PortError) {
    try port.open()
    var reader = ReceiverReader(port, settings)
    defer {
      decoder = reader.decoder
      firstText = reader.firstText
    }
    // The first epoch may be the end of one that began before the line was opened.
    while fixes < 2, port.interest != nil, BootClock.now < end, !Interruption.isWanted {
      let received = try reader.read(until: end)
      for epoch in received.fixes { add(epoch) }
      for case .antenna(let state) in received.answers { antenna = state }
    }
  }

  private mutating func add(_ epoch: Fix) {
    satellitesInView = epoch.satellitesInView ?? satellitesInView
    guard epoch.hasPosition else { return }
    fix = epoch
    fixes += 1
    lag = epoch.time.map { $0 - BootClock.systemDate }
  }

  /// Whether anything arrived, valid or not.
  var hasOutput: Bool { decoder.counters.bytes > 0 }

  private var validFrames: Int { Int(clamping: decoder.counters.validFrames) }

  /// Evaluates what was received, from the bytes up to the fix.
  private func evaluate(name: String, after timeout: Seconds) -> [Finding] {
    let counters = decoder.counters
    let time = "\(Int(timeout.value)) s"
    guard counters.bytes > 0 else {
      return [
        .fail(
          "receiver.bytes",
          "nothing arrived from \(name) in \(time): check that the receiver is powered and that "
            + "its TX is wired to this line's RX"
            + (mayBeOff
              ? "; its supply is switched: use --switch to power it first"
              : "; it may be asleep since an earlier run: the daemon wakes it"))
      ]
    }
    let frames =
      Counted.text(counters.nmeaSentences, "NMEA sentence") + ", "
      + Counted.text(counters.ubxFrames, "UBX frame") + ", "
      + Counted.text(counters.gpsdReports, "gpsd report")
    guard counters.fixes + counters.voidFixes > 0 else {
      return [silentOrGarbled(name: name, frames: frames, time: time)]
    }
    let refused = counters.badChecksums + counters.badUBXChecksums + counters.overlongLines
    let accepted = counters.nmeaSentences + counters.ubxFrames + counters.gpsdReports
    let quality: Finding =
      refused * 20 > accepted
      ? .warn(
        "receiver.bytes",
        "\(frames), but \(refused) damaged: check for a second reader of the line, loose wires, or "
          + "a speed too low for the receiver's output")
      : .ok("receiver.bytes", frames)
    return [quality, reception(time)] + antennaFindings
  }

  private var antennaFindings: [Finding] {
    switch antenna {
    case .open:
      [
        .warn(
          "receiver.antenna",
          "the receiver reports no antenna (open): connect it, or check its cable; ignore this "
            + "with a passive antenna, which is always reported as open")
      ]
    case .short:
      [
        .warn(
          "receiver.antenna",
          "the receiver reports a short circuit of the antenna: it receives nothing until that is "
            + "fixed")
      ]
    case .good, nil: []
    }
  }

  private func silentOrGarbled(name: String, frames: String, time: String) -> Finding {
    let counters = decoder.counters
    if settings.kind == .gpsd {
      return .fail(
        "receiver.bytes",
        "gpsd answers but reported no epoch in \(time) ("
          + "\(Counted.text(counters.gpsdReports, "report"))): check that it has a "
          + "device (DEVICES in /etc/default/gpsd) and that the receiver is powered")
    }
    if validFrames > 0 {
      return .fail(
        "receiver.bytes",
        "\(frames) arrived in \(time), but no position: the receiver must send GGA and RMC, or "
          + "NAV-PVT; enable them")
    }
    return .fail(
      "receiver.bytes",
      "\(Counted.text(counters.bytes, "byte")) arrived in \(time), but no complete "
        + "sentence: \(firstText.advice ?? ReceivedText.unreadable)")
  }

  private func reception(_ time: String) -> Finding {
    let inView = satellitesInView ?? decoder.satellitesInView
    let view =
      inView.map { "\(Counted.text($0, "satellite")) in view" } ?? "satellites in view unknown"
    guard let fix else {
      let advice =
        inView == 0
        ? "connect the antenna"
        : "place the antenna with a clear view of the sky; a cold start needs a minute or more"
      return .warn("receiver.fix", "no fix within \(time), \(view): \(advice)")
    }
    let used = fix.satellitesUsed.map { ", \(Counted.text($0, "satellite")) used" } ?? ""
    let mode = fix.mode == .threeD ? "3D" : "2D"
    return .ok("receiver.fix", "\(mode) fix\(used), \(view)")
  }
}
