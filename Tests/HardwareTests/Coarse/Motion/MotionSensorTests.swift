import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Hardware

/// The kernel's queue of 16 places: edges are lost when it is full or closed.
private final class Input: EdgeInput {
  let descriptor: Int32 = 7
  private(set) var waiting = 0
  private(set) var isResting = false
  var refusal: PortError?
  private(set) var takes = 0
  /// How many edges occurred while the input was listened to.
  private(set) var interrupts = 0

  func feel(_ edges: Int) {
    guard !isResting else { return }
    interrupts += edges
    waiting = min(waiting + edges, 16)
  }

  func readEvents() throws(PortError) -> Int {
    takes += 1
    if let refusal { throw refusal }
    defer { waiting = 0 }
    return waiting
  }

  func disable() throws(PortError) { isResting = true }

  func enable() throws(PortError) {
    if let refusal { throw refusal }
    isResting = false
    waiting = 0
  }
}

private final class Board {
  var now = BootInstant.zero
  var input = Input()
  var refusal: PortError?
  private(set) var requests = 0
  private(set) lazy var sensor = MotionSensor(
    mask: 10, now: { [unowned self] in now },
    request: { [unowned self] () throws(PortError) in
      requests += 1
      if let refusal { throw refusal }
      input = Input()
      return input
    })

  /// Serves it as the loop does: when its descriptor is ready and of interest, or it is due.
  /// - Returns: whether it reported movement.
  func serve() throws(PortError) -> Bool {
    let isReady = sensor.interest?.reads == true && (input.waiting > 0 || input.refusal != nil)
    guard isReady || sensor.due.map({ $0 <= now }) == true else { return false }
    var isTold = false
    while let evidence = try sensor.poll() {
      #expect(evidence == .motion)
      isTold = true
    }
    return isTold
  }

  /// - Parameter edges: number of edges in each hundredth of a second.
  /// - Returns: when movement was reported, and the number of wake-ups of the loop.
  func run(
    for seconds: Int, edges: (Int) -> Int
  ) throws(PortError) -> (told: [Double], wakes: Int) {
    let began = now
    var told: [Double] = []
    var wakes = 0
    for hundredth in 0..<seconds * 100 {
      now = began + Seconds(Double(hundredth) / 100)
      input.feel(edges(hundredth))
      let before = (sensor.due, input.takes)
      if try serve() { told.append((now - began).value) }
      if (sensor.due, input.takes) != before { wakes += 1 }
    }
    return (told, wakes)
  }
}

@Suite struct MotionSensorTests {
  private let board = Board()
  private let lost = PortError("it has disappeared")

  @Test("the sensor is requested when first served, and listened to from then on")
  func isRequestedWhenServed() throws {
    #expect(board.requests == 0 && board.sensor.interest == nil && board.sensor.due == .zero)
    #expect(try !board.serve())
    #expect(board.requests == 1 && board.sensor.due == nil)
    #expect(board.sensor.interest == Interest(7, opening: 1))
  }

  @Test("a knock is one report, however long its contacts bounce")
  func aKnockIsOneReport() throws {
    _ = try board.serve()
    let (told, wakes) = try board.run(for: 60) { (500..<580).contains($0) ? 1 : 0 }
    #expect(told == [5])
    // The edge, and the end of the mask.
    #expect(wakes == 2)
    #expect(board.sensor.interest?.reads == true && board.sensor.due == nil)
  }

  @Test("an edge within the mask is ignored, and one after it counts")
  func theMaskedEdgeIsNotSeen() throws {
    _ = try board.serve()
    let (told, _) = try board.run(for: 60) { [500, 800, 900, 1600].contains($0) ? 1 : 0 }
    #expect(told == [5, 16])
  }

  @Test("continuous movement is reported at the end of each mask")
  func continuedMovementIsReported() throws {
    _ = try board.serve()
    let (told, _) = try board.run(for: 60) { $0 >= 500 && $0 % 30 == 0 ? 1 : 0 }
    #expect(told.count == 6)
    #expect(zip(told, told.dropFirst()).allSatisfy { (10...10.4).contains($1 - $0) })
  }

  @Test("while masked the sensor rests without listening") func theMaskDoesNotListen() throws {
    _ = try board.serve()
    board.input.feel(1)
    #expect(try board.serve())
    #expect(board.sensor.interest == nil && board.input.isResting)
    #expect(board.sensor.due == BootInstant.zero + 10)
    board.now = .zero + 10
    #expect(try !board.serve())
    #expect(board.sensor.interest == Interest(7, opening: 2) && !board.input.isResting)
  }

  @Test("a storm of 10 kHz costs a report, two wake-ups and few interrupts per mask")
  func aStormIsBounded() throws {
    _ = try board.serve()
    let (told, wakes) = try board.run(for: 100) { _ in 100 }
    #expect(told.count == 10 && wakes <= 20)
    // Of a million edges, only those of the hundredth with listening.
    #expect(board.input.interrupts <= 1100)
  }

  @Test("a lost sensor is reported once, released, and requested again later")
  func aLostSensorIsRequestedAgain() throws {
    _ = try board.serve()
    board.input.refusal = lost
    #expect(thrown(PortError.self) { _ = try board.serve() } == lost)
    #expect(board.sensor.interest == nil && board.sensor.due == .zero + RetryState.firstPause)
    board.now = .zero + RetryState.firstPause
    #expect(try !board.serve())
    #expect(board.requests == 2 && board.sensor.interest?.opening == 2)
    // A repeated loss is not reported again.
    board.input.refusal = lost
    #expect(try !board.serve())
    #expect(
      board.sensor.interest == nil && board.sensor.due == board.now + RetryState.firstPause * 2)
  }

  @Test("a loss after a long time is reported again") func aLaterLossIsNews() throws {
    for _ in 0..<2 {
      _ = try board.serve()
      board.now = board.now + 1000
      board.input.refusal = lost
      #expect(thrown(PortError.self) { _ = try board.serve() } == lost)
      #expect(board.sensor.due == board.now + RetryState.firstPause)
      board.now = board.now + RetryState.firstPause
    }
  }

  @Test("a line taken by another program is reported when needed, and reopened")
  func aTakenLineIsHadAgain() throws {
    _ = try board.serve()
    board.input.feel(1)
    #expect(try board.serve())
    board.input.refusal = PortError("in use by gpiomon")
    #expect(try !board.serve())
    board.now = .zero + 10
    #expect(
      thrown(PortError.self) { _ = try board.serve() } == PortError("in use by gpiomon"))
    #expect(board.sensor.interest == nil)
    board.now = board.now + RetryState.firstPause
    #expect(try !board.serve())
    board.input.feel(1)
    #expect(try board.serve())
  }

  @Test("an unavailable sensor is retried ever less often, and each cause is reported once")
  func aRefusedSensorIsTriedAgain() throws {
    board.refusal = PortError("busy")
    #expect(thrown(PortError.self) { _ = try board.serve() } == PortError("busy"))
    let (told, _) = try board.run(for: 3600) { _ in 0 }
    #expect(told.isEmpty && (12...20).contains(board.requests))
    board.refusal = PortError("gone")
    board.now = board.now + RetryState.maxPause
    #expect(thrown(PortError.self) { _ = try board.serve() } == PortError("gone"))
    board.refusal = nil
    board.now = board.now + RetryState.maxPause
    #expect(try !board.serve())
    board.input.feel(3)
    #expect(try board.serve())
  }
}
