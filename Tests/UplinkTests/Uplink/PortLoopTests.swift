import Glibc
import Platform
import Ports
import Core
import Testing

@testable import Uplink

@Suite struct PortLoopTests {
  private final class StuckPort: EventPort {
    let name = "a connection"
    let interest: Interest?

    init(_ descriptor: Int32) { interest = Interest(descriptor) }
  }

  @Test("a ready connection without data does not keep the processor busy")
  func stuck() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try #require(write(ends[1], "x", 1) == 1)
    var said: [String] = []
    var end = BootClock.now + 30
    let loop = try PortLoop([StuckPort(ends[0])]) { event in
      said.append(event.kind)
      end = BootClock.now + 0.2
    }
    var turns = 0
    loop.onStep = { [unowned loop] in
      turns += 1
      if BootClock.now >= end || turns > 2 * PortLoop.fruitlessLimit { loop.end() }
      loop.wait(until: end)
      return false
    }
    try loop.run(signals: []) {}
    #expect(said == ["connection-stuck"])
    #expect(turns <= PortLoop.fruitlessLimit + 5)
  }
}
