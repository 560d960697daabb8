import GpioLines
import Platform
import Ports
import Quantities
import Records
import TestSupport
import Testing

@testable import Coarse

/// The kernel's queue: 16 places, and what comes when it is full is lost.
private final class Queue: EdgeQueue {
  let descriptor: Int32 = 7
  let path = "/dev/gpiochip3"
  var waiting = 0 { didSet { waiting = min(waiting, 16) } }
  /// How many come while edges are taken.
  var chatter = 0
  var refusal: GpioRefusal?
  private(set) var takes = 0

  func take() throws(GpioRefusal) -> Int {
    takes += 1
    if let refusal { throw refusal }
    defer { waiting = chatter }
    return waiting
  }
}

private final class Board {
  var now = BootInstant.zero
  var queue = Queue()
  var refusal: EvidenceError?
  private(set) var requests = 0
  private(set) lazy var line = MotionLine(
    mask: 10, now: { [unowned self] in now },
    explain: { refusal, path in EvidenceError("\(path): \(refusal.error.text)") },
    request: { [unowned self] () throws(EvidenceError) in
      requests += 1
      if let refusal { throw refusal }
      queue = Queue()
      return queue
    })

  /// Serves the line as the loop does: when its descriptor is ready and listened to, or it is due.
  /// - Returns: whether it reported movement.
  func serve() throws(EvidenceError) -> Bool {
    let isReady = line.interest?.reads == true && (queue.waiting > 0 || queue.refusal != nil)
    guard isReady || line.due.map({ $0 <= now }) == true else { return false }
    var isTold = false
    while let evidence = try line.poll() {
      #expect(evidence == .motion)
      isTold = true
    }
    return isTold
  }

  /// - Parameter edges: those that come within a hundredth of a second.
  /// - Returns: when movement was reported, and how often the loop woke.
  func run(
    for seconds: Int, edges: (Int) -> Int
  ) throws(EvidenceError) -> (told: [Double], wakes: Int) {
    let began = now
    var told: [Double] = []
    var wakes = 0
    for hundredth in 0..<seconds * 100 {
      now = began + Seconds(Double(hundredth) / 100)
      queue.waiting += edges(hundredth)
      let before = queue.takes
      if try serve() { told.append((now - began).value) }
      if queue.takes > before { wakes += 1 }
    }
    return (told, wakes)
  }
}

@Suite struct MotionLineTests {
  private let board = Board()

  @Test("the line is requested when it is first served, and listened to from then on")
  func isRequestedWhenServed() throws {
    #expect(board.requests == 0 && board.line.interest == nil && board.line.due == .zero)
    #expect(try !board.serve())
    #expect(board.requests == 1 && board.line.due == nil)
    #expect(board.line.interest == Interest(7, opening: 1))
  }

  @Test("a knock is one report, however long its contacts bounce")
  func aKnockIsOneReport() throws {
    _ = try board.serve()
    let (told, wakes) = try board.run(for: 60) { (500..<580).contains($0) ? 1 : 0 }
    #expect(told == [5])
    // The edge, the end of the knock and the end of the mask.
    #expect(wakes == 3)
    #expect(board.line.interest?.reads == true && board.line.due == nil)
  }

  @Test("an edge within the mask counts once when it ends") func theMaskedEdgeCounts() throws {
    _ = try board.serve()
    let (told, _) = try board.run(for: 60) { [500, 800, 900].contains($0) ? 1 : 0 }
    #expect(told == [5, 15])
  }

  @Test("movement that goes on is reported whenever the mask ends")
  func continuedMovementIsReported() throws {
    _ = try board.serve()
    let (told, _) = try board.run(for: 60) { $0 >= 500 && $0 % 30 == 0 ? 1 : 0 }
    #expect(told.count == 6)
    #expect(zip(told, told.dropFirst()).allSatisfy { (10...10.4).contains($1 - $0) })
  }

  @Test("while masked nothing is listened to") func theMaskDoesNotListen() throws {
    _ = try board.serve()
    board.queue.waiting = 1
    #expect(try board.serve())
    #expect(board.line.interest == Interest(7, opening: 1, reads: false))
    #expect(board.line.due == .zero + MotionLine.knock)
    board.now = .zero + MotionLine.knock
    #expect(try !board.serve())
    #expect(board.line.interest?.reads == false && board.line.due == .zero + 10)
  }

  @Test("chatter at 1 kHz costs a report and two wakes per mask, and each ends")
  func chatterIsBounded() throws {
    _ = try board.serve()
    board.queue.chatter = 16
    let (told, wakes) = try board.run(for: 100) { _ in 10 }
    #expect(told.count == 10 && wakes == 20)
    #expect(board.queue.takes <= wakes * MotionLine.maxTakes)
  }

  @Test("a line that is lost is told once, let go, and requested again later")
  func aLostLineIsRequestedAgain() throws {
    _ = try board.serve()
    let lost = GpioRefusal(step: .reading, error: SystemError(code: 19))
    board.queue.refusal = lost
    let error = thrown(EvidenceError.self) { _ = try board.serve() }
    #expect(error?.message == "/dev/gpiochip3: No such device")
    #expect(board.line.interest == nil && board.line.due == .zero + MotionLine.firstPause)
    board.now = .zero + MotionLine.firstPause
    #expect(try !board.serve())
    #expect(board.requests == 2 && board.line.interest?.opening == 2)
    // It goes on being lost: said already.
    board.queue.refusal = lost
    #expect(try !board.serve())
    #expect(board.line.interest == nil && board.line.due == board.now + MotionLine.firstPause * 2)
  }

  @Test("a line that is lost after a long time is told again") func aLaterLossIsNews() throws {
    let lost = GpioRefusal(step: .reading, error: SystemError(code: 19))
    for _ in 0..<2 {
      _ = try board.serve()
      board.now = board.now + 1000
      board.queue.refusal = lost
      #expect(thrown(EvidenceError.self) { _ = try board.serve() } != nil)
      #expect(board.line.due == board.now + MotionLine.firstPause)
      board.now = board.now + MotionLine.firstPause
    }
  }

  @Test("a loss within the mask is noticed when it ends") func aLossWithinTheMaskIsNoticed() throws
  {
    _ = try board.serve()
    board.queue.waiting = 1
    #expect(try board.serve())
    board.queue.refusal = GpioRefusal(step: .reading, error: SystemError(code: 19))
    #expect(try !board.serve())
    board.now = .zero + MotionLine.knock
    #expect(thrown(EvidenceError.self) { _ = try board.serve() } != nil)
    #expect(board.line.interest == nil)
  }

  @Test("a line that cannot be had is tried again, ever less often, and each cause is told once")
  func aRefusedLineIsTriedAgain() throws {
    board.refusal = EvidenceError("busy")
    #expect(thrown(EvidenceError.self) { _ = try board.serve() } == EvidenceError("busy"))
    let (told, _) = try board.run(for: 3600) { _ in 0 }
    #expect(told.isEmpty && (12...20).contains(board.requests))
    board.refusal = EvidenceError("gone")
    board.now = board.now + MotionLine.maxPause
    #expect(thrown(EvidenceError.self) { _ = try board.serve() } == EvidenceError("gone"))
    board.refusal = nil
    board.now = board.now + MotionLine.maxPause
    #expect(try !board.serve())
    board.queue.waiting = 3
    #expect(try board.serve())
  }
}
