import Records
import StoreStandIns
import Ports
import GNSS
import Core
import Testing
import Tracking
import VirtualDevice

@testable import Runtime
@testable import godwit

/// Restarts by command on a virtual board: from the command to the bytes, and back to the store.
@Suite struct OrderedStartRunTests {
  /// A receiver under open sky that is kept on, with the whole program around it.
  private struct Run {
    let board: VirtualBoard
    let runtime: TrackerRuntime
    let store = SessionBook()

    init(_ family: ReceiverFamily) throws {
      let position = Coordinate(latitude: 53.2, longitude: 6.5)
      let samples = (0...720).map {
        TruthSample(
          time: UTCInstant(seconds: 1_777_622_400) + Seconds(Double($0) * 5), position: position)
      }
      board = VirtualBoard(
        groundTruth: try #require(TraceTruth(samples)),
        settings: VirtualBoardSettings(
          receiver: VirtualReceiverSettings(language: family.speaksUBX ? .ubx : .nmea),
          coarse: nil, seed: 5))
      let wiring = PowerWiring(mechanism: .lines, lines: [.supply], settle: 0, family: family)
      var settings = TrackerSettings()
      settings.power = PowerSequencer(wiring).capabilities
      runtime = TrackerRuntime(
        tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
        meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
        wiring: wiring,
        devices: Devices(
          receiver: board.receiver, powerSwitch: board.powerSwitch, store: store))
      runtime.start(restoring: nil, at: board.clock.now)
      runtime.command(.gnss(.on), at: board.clock.now)
    }

    /// Advances the time.
    func pass(_ time: Seconds) {
      VirtualLoop(board, runtime: runtime).pass(until: board.now + time)
    }

    func restart(_ kind: RestartKind) -> String? {
      ReceiverRestart(runtime).perform(kind, at: board.clock.now)
    }

    var outcome: String? {
      ReceiverRestart(runtime).json(at: board.clock.now)["outcome"]?.string
    }
  }

  @Test(
    "the receiver starts on command, and the store records it",
    arguments: [ReceiverFamily.mediatek, .ubloxM8])
  func starts(family: ReceiverFamily) throws {
    let run = try Run(family)
    run.pass(180)
    #expect(run.board.receiver.gnssState == .tracking)
    for kind in [RestartKind.cold, .warm, .hot] {
      #expect(run.restart(kind) == nil)
      #expect(run.board.receiver.startKind.rawValue == kind.rawValue)
      run.pass(120)
      #expect(run.board.receiver.gnssState == .tracking)
      #expect(run.outcome == (family == .mediatek ? "acknowledged" : "sent"))
    }
    run.runtime.command(.gnss(.off), at: run.board.clock.now)
    let sessions = run.store.sessions.values.sorted { $0.id < $1.id }
    #expect(sessions.map(\.restart) == [nil, .cold, .warm, .hot])
    let times = try sessions.map { try #require($0.timeToFirstFix).value }
    let model = ReceiverEnergyModel.ubloxM8
    #expect((times[1] / model.coldStart.value - 1).magnitude < 0.5, "\(times)")
    #expect(times[2] > model.hotStart.value + 2 && times[3] < model.hotStart.value + 3, "\(times)")
    #expect(sessions.allSatisfy { $0.outcome == .stopped && ($0.energy ?? 0) > 0 })
    // An epoch is never counted for both searches.
    #expect(zip(sessions, sessions.dropFirst()).allSatisfy { $0.off == $1.on })
  }

  @Test("a receiver that is off gets no command, and the refusal gives the remedy") func off()
    throws
  {
    let run = try Run(.ubloxM8)
    run.pass(60)
    run.runtime.command(.gnss(.off), at: run.board.clock.now)
    let sessions = run.store.sessions.count
    #expect(run.restart(.cold)?.contains("godwit gnss on") == true)
    run.pass(10)
    #expect(run.outcome == nil && run.store.sessions.count == sessions)
  }

  @Test("without a daemon the command fails, and other kinds are refused") func command()
    throws
  {
    let outcome = try Program.run("gnss", "restart", "cold", "--socket", "/nonexistent/socket")
    #expect(outcome.exitCode == 1 && outcome.messages.contains("no daemon answers there"))
    let wrong = try Program.run("gnss", "restart", "tepid", "--socket", "/nonexistent/socket")
    #expect(wrong.exitCode == 2)
    for kind in RestartKind.allCases { #expect(wrong.messages.contains(kind.rawValue)) }
    #expect(try Program.run("gnss", "restart").exitCode == 2)
    let help = try Program.run("gnss", "restart", "--help")
    #expect(help.exitCode == 0 && help.output.contains("godwit gnss on"))
  }
}

/// Keeps the newest state of every session in memory.
private final class SessionBook: EmptyStore {
  var sessions: [Int64: GnssSession] = [:]

  override func write(_ records: [Record]) throws(PortError) {
    for case .session(let session) in records { sessions[session.id] = session }
  }
}
