import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// The daemon's side, against a real socket.
@Suite struct CommandSocketTests {
  private static let start = BootInstant.zero + 1000

  private let folder: ScratchFolder
  private let path: String
  private let port: CommandSocket

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("alert.sock")
    var settings = AlertCommandSettings()
    settings.words = ["/bin/true"]
    settings.socket = path
    port = CommandSocket(settings)
  }

  private func order(_ id: Int64, _ facts: [(String, String)] = []) -> NoticeCommandInput {
    NoticeCommandInput(id: id, facts: facts.map { NoticeCommandInput.Fact($0.0, $0.1) })
  }

  /// Serves the port as the loop does, by its interest.
  private func served(after time: Seconds = 0) throws -> [NoticeOutcome] {
    let interest = try #require(port.interest)
    var poll = pollfd(
      fd: interest.descriptor,
      events: Int16(POLLIN) | (interest.writes ? Int16(POLLOUT) : 0), revents: 0)
    let isReady = Foundation.poll(&poll, 1, 0) > 0
    return port.serve(at: Self.start + time, isReady: isReady)
  }

  /// Begins a notice, runs the unit's step, and returns the outcome.
  private func outcome(_ unit: (ImitatedUnit) throws -> Void) throws -> NoticeOutcome.Result? {
    let imitated = try ImitatedUnit(at: path)
    try port.begin(order(7), at: Self.start)
    try imitated.accept()
    try unit(imitated)
    let outcomes = try served()
    #expect(outcomes.count <= 1 && outcomes.allSatisfy { $0.id == 7 })
    #expect(port.hasRoom == !outcomes.isEmpty && (port.interest == nil) == port.hasRoom)
    return outcomes.first?.result
  }

  @Test("a notice and its facts arrive, and the command's result comes back")
  func done() throws {
    let unit = try ImitatedUnit(at: path)
    #expect(port.hasRoom && port.interest == nil && port.due == nil)
    try port.begin(order(7, [("PLACE", "Café \"X\"; $(reboot)")]), at: Self.start)
    #expect(!port.hasRoom && port.due == Self.start + 90)
    #expect(throws: PortError.self) { try port.begin(order(8), at: Self.start) }
    try unit.accept()
    #expect(try unit.request() == order(7, [("PLACE", "Café \"X\"; $(reboot)")]))
    #expect(try served() == [])
    unit.answer(CommandAnswer(to: 7, .done(exitStatus: 3)))
    #expect(try served() == [NoticeOutcome(id: 7, .done(exitStatus: 3))])
    #expect(port.hasRoom && port.interest == nil && port.due == nil)
    #expect(port.serve(at: Self.start, isReady: true) == [])
  }

  @Test("notices go one after the other, each on its own connection") func inOrder() throws {
    let unit = try ImitatedUnit(at: path)
    var openings: Set<Int> = []
    for id in Int64(1)...50 {
      try port.begin(order(id), at: Self.start)
      openings.insert(try #require(port.interest).opening)
      try unit.accept()
      #expect(try unit.request().id == id)
      unit.answer(CommandAnswer(to: id, .done(exitStatus: 0)))
      #expect(try served() == [NoticeOutcome(id: id, .done(exitStatus: 0))])
    }
    #expect(openings.count == 50)
  }

  @Test("a command that failed to run, or was terminated, is reported with the reason")
  func failed() throws {
    let result = try outcome { $0.answer(CommandAnswer(to: 7, .failed("no \u{1b}[2J program"))) }
    #expect(result == .failed("no \u{fffd}[2J program"))
  }

  @Test("a unit that could not read the notice reports that") func unread() throws {
    let result = try outcome { $0.answer(CommandAnswer(to: nil, .failed("cut off"))) }
    #expect(result == .failed("cut off"))
  }

  @Test("a unit that never answers is given up well after the command's time limit")
  func silent() throws {
    let unit = try ImitatedUnit(at: path)
    try port.begin(order(7), at: Self.start)
    try unit.accept()
    #expect(try served(after: 89) == [])
    let outcomes = try served(after: 90)
    guard case .unanswered(let why)? = outcomes.first?.result else {
      return #expect(Bool(false), "\(outcomes)")
    }
    #expect(why.contains("no answer for 90 s") && why.contains("journalctl -t godwit-alert"))
    #expect(port.hasRoom)
  }

  @Test("a unit that closes without an answer gives an outcome") func closed() throws {
    guard case .unanswered(let why)? = try outcome({ $0.hangUp() }) else {
      return #expect(Bool(false))
    }
    #expect(why.contains("without an answer"))
  }

  @Test("a unit that closes within its answer gives an outcome, too") func cutOff() throws {
    let result = try outcome {
      $0.say(#"{"id":7,"exit_"#)
      $0.hangUp()
    }
    guard case .unanswered(let why)? = result else { return #expect(Bool(false)) }
    #expect(why.contains("in the middle"))
  }

  @Test("an answer before the end of the connection counts") func answeredAndClosed() throws {
    let result = try outcome {
      $0.answer(CommandAnswer(to: 7, .done(exitStatus: 0)))
      $0.hangUp()
    }
    #expect(result == .done(exitStatus: 0))
  }

  private static let noAnswers = [
    "hello\n", "\n", "{}\n", "[7]\n", "{\"id\":7}\n", "{\"id\":8,\"exit_status\":0}\n",
    "{\"exit_status\":0}\n", "{\"id\":7,\"exit_status\":256}\n",
    "{\"id\":7,\"exit_status\":\"0\"}\n",
    "{\"id\":8,\"failed\":\"x\"}\n",
  ]

  @Test("an invalid answer gives an outcome that reports it", arguments: noAnswers)
  func noAnswer(text: String) throws {
    guard case .unanswered(let why)? = try outcome({ $0.say(text) }) else {
      return #expect(Bool(false), "\(text.prefix(40))")
    }
    #expect(why.contains("not an answer to notice 7"))
  }

  @Test("an endless or far too long answer gives an outcome, too") func endless() throws {
    let long = [
      String(repeating: "x", count: 1_000_000),
      "{\"id\":7,\"failed\":\"" + String(repeating: "x", count: 5000) + "\"}\n",
    ]
    for text in long {
      unlink(path)
      guard case .unanswered(let why)? = try outcome({ $0.say(text) }) else {
        return #expect(Bool(false), "\(text.count)")
      }
      #expect(why.contains("not an answer to notice 7"))
    }
  }

  @Test("an answer may come in pieces") func pieces() throws {
    let unit = try ImitatedUnit(at: path)
    try port.begin(order(7), at: Self.start)
    try unit.accept()
    for piece in [#"{"id":"#, #"7,"exit_stat"#, #"us":0}"#] {
      unit.say(piece)
      #expect(try served() == [])
    }
    unit.say("\n")
    #expect(try served() == [NoticeOutcome(id: 7, .done(exitStatus: 0))])
  }

  @Test("the largest notice is sent as fast as it is read, and arrives whole")
  func large() throws {
    let unit = try ImitatedUnit(at: path)
    let large = order(
      7, (0..<64).map { ("FACT_\($0)", String(repeating: "\"", count: 4096)) })
    try port.begin(large, at: Self.start)
    try unit.accept()
    #expect(try #require(port.interest).writes, "it is more than a socket holds")
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      let piece = unit.take(65_536)
      try #require(!piece.isEmpty)
      line += piece
      #expect(try served() == [])
    }
    #expect(try #require(port.interest).writes == false)
    #expect(try CommandRequest(line: line.dropLast()).notice == large)
    #expect(line.count < CommandRequest.longestLine)
  }

  @Test("a reader that closes before the end of the notice gives an outcome")
  func brokenOff() throws {
    let unit = try ImitatedUnit(at: path)
    let large = order(
      7, (0..<64).map { ("FACT_\($0)", String(repeating: "x", count: 4096)) })
    try port.begin(large, at: Self.start)
    try unit.accept()
    _ = unit.take(1000)
    unit.hangUp()
    guard case .unanswered? = try served().first?.result else { return #expect(Bool(false)) }
  }

  @Test("without a socket or a listener, the failure names what to start")
  func nobody() throws {
    let expected = "systemctl enable --now godwit-alert.socket"
    for _ in 0..<2 {
      let error = thrown(PortError.self) { try port.begin(order(7), at: Self.start) }
      guard case .unavailable(let why)? = error else { return #expect(Bool(false)) }
      #expect(why.contains(expected) && why.contains(path))
      #expect(port.hasRoom && port.interest == nil && port.due == nil)
      // Then the file of a socket whose listener has ended.
      if !folder.files.contains("alert.sock") { _ = try ImitatedUnit(at: path) }
    }
  }

  @Test("a notice that cannot be passed to a command is refused permanently", arguments: badOrders)
  func refused(bad: NoticeCommandInput) throws {
    let unit = try ImitatedUnit(at: path)
    let error = thrown(PortError.self) { try port.begin(bad, at: Self.start) }
    guard case .refused? = error else { return #expect(Bool(false), "\(bad)") }
    #expect(port.hasRoom)
    _ = unit
  }

  private static let badOrders: [NoticeCommandInput] = [
    NoticeCommandInput(id: -1, facts: []), NoticeCommandInput(id: .max, facts: []),
    NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("", "")]),
    NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("place", "")]),
    NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("1", "")]),
    NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("A=B", "")]),
    NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("NOTICE", "")]),
    NoticeCommandInput(
      id: 1, facts: [NoticeCommandInput.Fact("A", ""), NoticeCommandInput.Fact("A", "")]),
    NoticeCommandInput(id: 1, facts: (0...64).map { NoticeCommandInput.Fact("F\($0)", "") }),
  ]

  @Test("the settings determine whether there is a command") func none() {
    let port = CommandSocket(AlertCommandSettings())
    #expect(!port.isSetUp)
    port.settings.words = ["/bin/true"]
    #expect(port.isSetUp)
  }
}
