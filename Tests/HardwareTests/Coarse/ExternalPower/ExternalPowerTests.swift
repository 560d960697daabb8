import Ports
import GNSS
import Core
import Records
import TestSupport
import Testing

@testable import Hardware

private final class Line: LevelInput {
  let descriptor: Int32 = 9
  private var waiting = false
  private var isResting = false
  var refusal: PortError?
  private var isOn: Bool
  var isReady: Bool { waiting || refusal != nil }

  init(isOn: Bool) { self.isOn = isOn }

  func set(_ isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    if !isResting { waiting = true }
  }

  func readEvents() throws(PortError) -> Int {
    if let refusal { throw refusal }
    defer { waiting = false }
    return waiting ? 1 : 0
  }

  func disable() throws(PortError) { isResting = true }

  func enable() throws(PortError) {
    if let refusal { throw refusal }
    isResting = false
    waiting = false
  }

  func isActive() throws(PortError) -> Bool { isOn }
}

private final class Board {
  var now = BootInstant.zero
  var line = Line(isOn: false)
  private(set) lazy var power = ExternalPower(
    now: { [unowned self] in now },
    request: { [unowned self] () throws(PortError) in
      if let refusal = line.refusal { throw refusal }
      return line
    })

  /// - Parameter set: the level at each hundredth of a second.
  /// - Returns: the reports, and the number of wake-ups of the loop.
  func run(
    for seconds: Int, _ level: (Int) -> Bool
  ) throws(PortError) -> (told: [Bool], wakes: Int) {
    let began = now
    var told: [Bool] = []
    var wakes = 0
    for hundredth in 0..<seconds * 100 {
      now = began + Seconds(Double(hundredth) / 100)
      line.set(level(hundredth))
      let isReady = power.interest != nil && line.isReady
      guard isReady || power.due.map({ $0 <= now }) == true else { continue }
      wakes += 1
      while let evidence = try power.poll() {
        if case .ignition(let isOn) = evidence { told.append(isOn) }
      }
    }
    return (told, wakes)
  }
}

@Suite struct ExternalPowerTests {
  private let board = Board()

  @Test("the state is reported at the start and at every change") func changesAreTold() throws {
    let (told, _) = try board.run(for: 60) { (1000..<3000).contains($0) }
    #expect(told == [false, true, false])
    #expect(board.power.interest == Interest(9, opening: 3) && board.power.due == nil)
  }

  @Test("a bouncing contact gives one change, with few wake-ups") func bouncesAreOne() throws {
    let (told, wakes) = try board.run(for: 60) { hundredth in
      hundredth >= 1003 || hundredth >= 1000 && hundredth % 2 == 0
    }
    #expect(told == [false, true] && wakes <= 7)
  }

  @Test("a dip while the motor starts is not a change") func aDipIsNone() throws {
    let (told, _) = try board.run(for: 60) { !(1000..<1004).contains($0) }
    #expect(told == [true])
  }

  @Test("a loose contact costs a dozen wake-ups per minute, and its final state is reported")
  func aLooseContactIsBounded() throws {
    _ = try board.run(for: 60) { $0 % 2 == 0 }
    let (_, wakes) = try board.run(for: 600) { $0 % 2 == 0 }
    #expect(wakes <= 130)
    let (told, _) = try board.run(for: 60) { _ in true }
    #expect(told.last ?? true)
    let (later, _) = try board.run(for: 60) { $0 < 100 }
    #expect(later == [false])
  }

  @Test("a lost line is reported once, reopened, and its state reported anew")
  func aLostLineIsToldAnew() throws {
    _ = try board.run(for: 10) { _ in true }
    board.line.refusal = PortError("gone")
    #expect(
      thrown(PortError.self) { _ = try board.run(for: 1) { _ in true } }
        == PortError("gone"))
    let (silence, _) = try board.run(for: 60) { _ in true }
    #expect(silence.isEmpty && board.power.interest == nil)
    board.line.refusal = nil
    let (told, _) = try board.run(for: 100) { _ in true }
    #expect(told == [true])
  }

  @Test("without any setting there is no source") func nothingNamed() {
    #expect(ExternalPower(ExternalPowerSettings()) == nil)
    #expect(ExternalPower.finding(ExternalPowerSettings()) == nil)
  }

  @Test("a missing line names its own setting") func aMissingLineIsExplained() throws {
    let folder = try ScratchFolder()
    var settings = ExternalPowerSettings()
    settings.line = try GpioLine(parsing: "IGNITION")
    let power = try #require(ExternalPower(settings, devices: folder.path))
    let error = thrown(PortError.self) { _ = try power.poll() }
    #expect(error?.message.hasPrefix("external_power.line = \"IGNITION\": there is no") == true)
  }
}
