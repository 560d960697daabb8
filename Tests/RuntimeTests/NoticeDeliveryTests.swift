import Places
import Ports
import StoreStandIns
import Core
import Records
import TestSupport
import Testing
import Tracking

@testable import Runtime

/// The user's command for notices: at least once, in order, and with a limit on retries.
@Suite struct NoticeDeliveryTests {
  /// A command that ends as the test sets.
  final class StandInCommand: NoticeCommandPort {
    let name = "stand-in"
    let interest: Interest? = nil
    var isSetUp = true
    var hasRoom = true
    var begun: [NoticeCommandInput] = []
    var refusal: PortError?
    var outcomes: [NoticeOutcome] = []

    func begin(_ order: NoticeCommandInput, at now: BootInstant) throws(PortError) {
      if let refusal { throw refusal }
      begun.append(order)
      hasRoom = false
    }

    func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome] {
      defer { outcomes = [] }
      if !outcomes.isEmpty { hasRoom = true }
      return outcomes
    }
  }

  /// Stores the state of each notice.
  final class NoticeStore: EmptyStore {
    override var name: String { "notices" }
    var notices: [Int64: Notice] = [:]

    override func write(_ records: [Record]) throws(PortError) {
      for case .notice(let notice) in records { notices[notice.id] = notice }
    }
    override func waitingNotices(atMost most: Int) throws(PortError) -> [Notice] {
      Array(notices.values.filter { $0.handling == .waiting }.sorted { $0.id < $1.id }.prefix(most))
    }
  }

  private let command = StandInCommand()
  private let store = NoticeStore()
  private let writer: StoreWriter
  private let delivery: NoticeDelivery

  init() {
    writer = StoreWriter(
      StoreSource(store), commits: CommitSettings(interval: 0), log: LogChannel())
    let source = PlaceSource(
      writer, zones: UTCTimeZones(), visitor: Visitor("me"), log: LogChannel())
    delivery = NoticeDelivery(writer, command, source, log: LogChannel())
  }

  private static func notice(_ id: Int64) -> Notice {
    var notice = Notice(
      id: id, time: UTCInstant(seconds: 1_780_000_000), alert: 1, name: "a", kind: .alert(.enter),
      text: "t")
    notice.handling = .waiting
    return notice
  }

  private func serve(_ seconds: Double) { _ = delivery.serve(at: .boot(seconds), isReady: true) }

  private func end(_ id: Int64, _ result: NoticeOutcome.Result, at seconds: Double) {
    command.outcomes = [NoticeOutcome(id: id, result)]
    serve(seconds)
  }

  private func commit(at seconds: Double) {
    writer.commit(
      with: Tracker(settings: TrackerSettings()), places: nil, at: .boot(seconds),
      evenIfNothingWaits: false)
  }

  @Test("nothing runs before its notice is durable, then one after the other") func order() {
    delivery.raised(Self.notice(1))
    delivery.raised(Self.notice(2))
    serve(0)
    #expect(command.begun.isEmpty && delivery.due == nil)
    delivery.committed(at: .zero)
    #expect(delivery.due == .zero)
    serve(1)
    serve(2)
    #expect(command.begun.map(\.id) == [1])
    end(1, .done(exitStatus: 0), at: 3)
    #expect(command.begun.map(\.id) == [1, 2])
    #expect(command.begun[0].facts.contains(.init("EVENT", "enter")))
  }

  @Test("a command configured at run time runs for new and waiting notices")
  func reloadedCommand() {
    command.isSetUp = false
    delivery.commandChanged()
    delivery.raised(Self.notice(1))
    delivery.committed(at: .zero)
    serve(0)
    #expect(command.begun.isEmpty && delivery.due == nil)
    // Of an earlier time with a command.
    store.notices[2] = Self.notice(2)
    command.isSetUp = true
    delivery.commandChanged()
    #expect(delivery.due == .zero)
    serve(1)
    end(2, .done(exitStatus: 0), at: 2)
    #expect(command.begun.map(\.id) == [2])
    delivery.raised(Self.notice(3))
    delivery.committed(at: .boot(3))
    serve(3)
    #expect(command.begun.map(\.id) == [2, 3])
  }

  @Test("a failing notice is retried after a while, others meanwhile, and abandoned in the end")
  func failures() {
    delivery.raised(Self.notice(1))
    delivery.committed(at: .zero)
    serve(0)
    var now = 0.0
    for pause in [60.0, 300, 1800] {
      end(1, .failed("it was killed"), at: now)
      #expect(delivery.due?.seconds == now + pause)
      serve(now + pause - 1)
      let count = command.begun.count
      now += pause
      serve(now)
      #expect(command.begun.count == count + 1)
    }
    end(1, .done(exitStatus: 3), at: now)
    #expect(delivery.due == nil)
    #expect(command.begun.count == 4)
  }

  @Test("without a command runner retries become rarer, and nothing is lost")
  func unavailable() {
    command.refusal = .unavailable("no socket")
    delivery.raised(Self.notice(1))
    delivery.committed(at: .zero)
    var now = 0.0
    var pauses: [Double] = []
    for _ in 0..<8 {
      serve(now)
      let next = delivery.due?.seconds ?? -1
      pauses.append(next - now)
      now = next
    }
    #expect(pauses == [60, 120, 240, 480, 900, 900, 900, 900])
    command.refusal = nil
    serve(now)
    #expect(command.begun.map(\.id) == [1])
  }

  @Test("a failing notice does not delay those in the store, and these keep their order")
  func behindFailures() throws {
    for id in 1...150 { store.notices[Int64(id)] = Self.notice(Int64(id)) }
    delivery.resume(try store.waitingNotices(atMost: NoticeDelivery.most), at: .zero)
    store.notices[151] = Self.notice(151)
    delivery.raised(Self.notice(151))
    delivery.committed(at: .zero)
    var now = 0.0
    serve(now)
    // The first one fails repeatedly; all others succeed well within its retry interval.
    while command.begun.count < 151, now < 50 {
      let id = try #require(command.begun.last?.id)
      now += 0.1
      end(id, id == 1 ? .failed("it was killed") : .done(exitStatus: 0), at: now)
      commit(at: now)
      serve(now)
    }
    #expect(command.begun.map(\.id) == Array(1...151))
  }

  @Test("an unfinished notice of an earlier run is run again; a thousand wait in the store")
  func resumed() throws {
    for id in 1...1000 { store.notices[Int64(id)] = Self.notice(Int64(id)) }
    delivery.resume(try store.waitingNotices(atMost: NoticeDelivery.most), at: .zero)
    var now = 0.0
    for id in 1...1000 {
      serve(now)
      guard command.begun.last?.id == Int64(id) else {
        Issue.record("\(id) is not begun")
        return
      }
      #expect(command.begun.count == id)
      now += 1
      command.outcomes = [NoticeOutcome(id: Int64(id), .done(exitStatus: 0))]
      serve(now)
      commit(at: now)
    }
  }

  @Test("a failing command delays nothing that waits in the store, and order is kept")
  func overtaken() {
    let count: Int64 = 250
    for id in 1...count {
      writer.storeDated(.notice(Self.notice(id)), at: .zero)
      delivery.raised(Self.notice(id))
    }
    commit(at: 0)
    delivery.committed(at: .zero)
    serve(0)
    end(1, .failed("it was killed"), at: 1)
    for id in 2...count {
      // Another notice arrives while others wait in the store.
      if id == 40 {
        writer.storeDated(.notice(Self.notice(count + 1)), at: .boot(1))
        delivery.raised(Self.notice(count + 1))
      }
      end(id, .done(exitStatus: 0), at: 1)
      commit(at: 1)
      serve(1)
    }
    #expect(command.begun.map(\.id) == Array(1...(count + 1)))
    end(count + 1, .done(exitStatus: 0), at: 2)
    commit(at: 2)
    serve(2)
    #expect(delivery.due == .boot(61))
    #expect(store.notices.values.filter { $0.handling == .waiting }.map(\.id) == [1])
  }

  @Test("a refused command is never retried") func refused() {
    command.refusal = .refused("too many facts")
    delivery.raised(Self.notice(1))
    delivery.committed(at: .zero)
    serve(0)
    #expect(delivery.due == nil)
  }
}
