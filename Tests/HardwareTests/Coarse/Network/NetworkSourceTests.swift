import Glibc
import Platform
import Ports
import Core
import Records
import Testing

@testable import Hardware

private final class Kernel: NetworkKernel {
  let descriptor: Int32 = 7
  var receivesNeighbours = false
  var waiting = NetworkEvent()
  var view: NetworkView
  var refusal: NetworkRefusal?
  private(set) var looks = 0

  init(_ view: NetworkView) { self.view = view }

  func readNotices() throws(NetlinkRefusal) -> NetworkEvent {
    if let refusal { throw refusal }
    defer { waiting = NetworkEvent() }
    return waiting
  }

  func currentView() throws(NetlinkRefusal) -> NetworkView {
    looks += 1
    return view
  }
}

private typealias NetworkRefusal = NetlinkRefusal

private final class Board {
  static let home = "00:1f:33:00:00:01"
  static let next = "00:1f:33:00:00:02"
  var now = BootInstant.zero
  let kernel = Kernel(Board.view(Board.home))
  var refusal: NetlinkRefusal?
  private(set) var wakes = 0
  private(set) lazy var source = NetworkSource(now: { [unowned self] in now }) {
    [unowned self] () throws(NetlinkRefusal) in
    if let refusal { throw refusal }
    return kernel
  }

  static func view(_ name: String?) -> NetworkView {
    var view = NetworkView(links: [], routes: [], joined: [:]) { _ in nil }
    view.name = name.flatMap { HardwareAddress($0) }
    return view
  }

  func change(to name: String?) {
    kernel.view = Self.view(name)
    kernel.waiting = NetworkEvent(count: 1, matters: true)
  }

  /// Serves it as the loop does, in steps of a tenth of a second.
  /// - Returns: the reports and their times, in tenths of a second.
  func run(for seconds: Double, every: (Int) -> Void = { _ in }) throws -> [Told] {
    var told: [Told] = []
    for tick in 0..<Int(seconds * 10) {
      every(tick)
      let isReady = source.interest?.reads == true && kernel.waiting.count > 0
      if isReady || source.due.map({ $0 <= now }) ?? false {
        wakes += 1
        while let evidence = try source.poll() {
          guard case .network(let name) = evidence else { continue }
          told.append(Told(name: name, at: tick))
        }
      }
      now = now + 0.1
    }
    return told
  }

  struct Told: Equatable {
    var name: String?
    var at: Int
  }
}

struct NetworkSourceTests {
  @Test("a joined network is reported at the start, and not again without a change")
  func start() throws {
    let board = Board()
    #expect(try board.run(for: 5) == [.init(name: Board.home, at: 0)])
    #expect(try board.run(for: 3600) == [])
    #expect(board.wakes == 1)
    #expect(board.source.due == nil)
  }

  @Test("another network is reported as soon as its events have settled")
  func roam() throws {
    let board = Board()
    _ = try board.run(for: 100)
    board.change(to: Board.next)
    #expect(try board.run(for: 30) == [.init(name: Board.next, at: 5)])
  }

  @Test("a loss is reported when it lasts")
  func loss() throws {
    let board = Board()
    _ = try board.run(for: 100)
    board.change(to: nil)
    #expect(try board.run(for: 30) == [.init(name: nil, at: 105)])
  }

  @Test("a board that soon rejoins the same network has not left it")
  func shortLoss() throws {
    let board = Board()
    _ = try board.run(for: 100)
    board.change(to: nil)
    #expect(try board.run(for: 6) == [])
    board.change(to: Board.home)
    #expect(try board.run(for: 60) == [])
    board.change(to: nil)
    #expect(try board.run(for: 60).map(\.name) == [nil])
  }

  @Test("after a while without a network, that is reported, too")
  func nothing() throws {
    let board = Board()
    board.kernel.view = Board.view(nil)
    #expect(try board.run(for: 30) == [.init(name: nil, at: 100)])
  }

  @Test("endless events are evaluated ever less often")
  func storm() throws {
    let board = Board()
    _ = try board.run(for: 100)
    let before = board.kernel.looks
    let told = try board.run(for: 600) { tick in
      board.change(to: tick % 2 == 0 ? Board.home : Board.next)
    }
    #expect(board.kernel.looks - before <= 45)
    #expect(told.count <= 45)
    let wakes = board.wakes
    _ = try board.run(for: 600) { _ in board.change(to: Board.home) }
    #expect(board.wakes - wakes <= 90)
  }

  @Test("neighbour events are received only while a gateway is awaited, and not all that time")
  func neighbours() throws {
    let board = Board()
    var view = Board.view(nil)
    let gateway = DefaultRoute.Gateway(
      family: UInt8(AF_INET), address: [10, 0, 0, 1], interface: 2)
    view.awaited = [try #require(gateway)]
    board.kernel.view = view
    #expect(try board.run(for: 20).map(\.name) == [nil])
    #expect(board.kernel.receivesNeighbours)
    let before = board.wakes
    _ = try board.run(for: 600) { _ in board.kernel.waiting = NetworkEvent(count: 1) }
    #expect(board.wakes - before <= 45)
    board.change(to: Board.home)
    #expect(try board.run(for: 60).map(\.name) == [Board.home])
    #expect(!board.kernel.receivesNeighbours)
  }

  @Test("events that change nothing count as handled")
  func taken() throws {
    let board = Board()
    _ = try board.run(for: 5)
    let before = board.source.readCount
    board.kernel.waiting = NetworkEvent(count: 3)
    #expect(try board.run(for: 1) == [])
    #expect(board.source.readCount == before + 3)
  }

  @Test("a refusal is reported once, and the network is reopened")
  func refused() throws {
    let board = Board()
    board.refusal = NetlinkRefusal(SystemError(code: EAFNOSUPPORT))
    #expect {
      _ = try board.run(for: 1)
    } throws: { ($0 as? PortError)?.message.contains("RestrictAddressFamilies") == true }
    #expect(try board.run(for: 3600) == [])
    #expect(board.wakes < 20)
    board.refusal = nil
    #expect(try board.run(for: 400).map(\.name) == [Board.home])
    #expect(board.source.interest?.opening == 1)
  }

  @Test("a failed socket is reopened, and the known network is not reported again")
  func socketFails() throws {
    let board = Board()
    _ = try board.run(for: 100)
    board.kernel.refusal = NetlinkRefusal(SystemError(code: EIO))
    board.kernel.waiting = NetworkEvent(count: 1)
    #expect(throws: PortError.self) { _ = try board.run(for: 1) }
    board.kernel.refusal = nil
    #expect(try board.run(for: 60) == [])
    #expect(board.source.interest?.opening == 2)
  }
}
