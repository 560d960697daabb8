import Platform
import Ports
import Core
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// Descriptors that stay ready.
@Suite struct EndpointWatchTests {
  private final class Reader: Endpoint {
    let kind = "reader"
    var interest: Interest?
    let due: BootInstant? = nil
    let fruitlessLimit = 50

    init(_ interest: Interest) { self.interest = interest }

    func serve(at now: BootInstant, isReady: Bool) -> Served { Served(isFruitful: false) }
  }

  /// Runs the loop with a byte in a pipe until it is idle; the handler gets the number of calls so
  /// far.
  private func calls(_ handler: @escaping (Int, Int32) -> Bool) throws -> (count: Int, told: Int) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    defer { for end in ends { close(end) } }
    write(ends[1], "x", 1)
    let loop = try EventLoop()
    var count = 0
    var told = 0
    let quiet = try loop.timer { loop.exit(0) }
    let reader = ends[0]
    let watch = EndpointWatch(
      Reader(Interest(reader)), on: loop, onLog: { _ in told += 1 },
      serve: {
        count += 1
        quiet.set(at: BootClock.now + 0.05)
        return handler(count, reader)
      })
    watch.update()
    #expect(try loop.run() == 0)
    withExtendedLifetime((watch, quiet)) {}
    return (count, told)
  }

  @Test("a reader without data is left alone")
  func fruitless() throws {
    let result = try calls { _, _ in false }
    #expect(result.count == 50)
    #expect(result.told == 1)
  }

  @Test("a reader with data now and then stays watched")
  func fruitful() throws {
    let result = try calls { count, reader in
      if count == 400 {
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
      }
      return count % 40 == 0
    }
    #expect(result.count == 400)
    #expect(result.told == 0)
  }

  @Test("one that opens another descriptor while it is served stays watched, with the same number")
  func reopens() throws {
    let loop = try EventLoop()
    var writers: [Int32] = []
    /// A pipe with a byte in it: its end for reading.
    func open() -> Int32 {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      write(ends[1], "x", 1)
      writers.append(ends[1])
      return ends[0]
    }
    let endpoint = Reader(Interest(open()))
    let number = endpoint.interest?.descriptor ?? -1
    var served = 0
    var watch: EndpointWatch?
    let late = try loop.timer { loop.exit(1) }
    late.set(at: BootClock.now + 5)
    watch = EndpointWatch(
      endpoint, on: loop, onLog: { _ in },
      serve: {
        served += 1
        if served == 3 { loop.exit(0) }
        let next = open()
        // Closes the old descriptor first, because the kernel reuses its number.
        dup2(next, number)
        close(next)
        endpoint.interest = Interest(number, opening: served)
        watch?.update()
        return true
      })
    watch?.update()
    #expect(try loop.run() == 0)
    #expect(served == 3)
    for end in writers + [number] { close(end) }
    withExtendedLifetime((watch, late)) {}
  }

  @Test("one without an interest is left alone until it waits to write")
  func interest() throws {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    defer { for end in ends { close(end) } }
    let loop = try EventLoop()
    let endpoint = Reader(Interest(ends[0], reads: false))
    var served = 0
    let watch = EndpointWatch(
      endpoint, on: loop, onLog: { _ in },
      serve: {
        served += 1
        endpoint.interest?.writes = false
        return true
      })
    watch.update()
    endpoint.interest?.writes = true
    watch.update()
    let timer = try loop.timer {
      watch.update()
      loop.exit(0)
    }
    timer.set(at: BootClock.now + 0.02)
    _ = try loop.run()
    #expect(served > 0)
    withExtendedLifetime((watch, timer)) {}
  }

  @Test("the loop counts its wakes")
  func wakeups() throws {
    let loop = try EventLoop()
    var left = 5
    var timer: EventSource?
    timer = try loop.timer {
      left -= 1
      if left == 0 { loop.exit(3) } else { timer?.set(at: BootClock.now) }
    }
    timer?.set(at: BootClock.now)
    var awake = 0
    loop.awake = { awake += 1 }
    #expect(try loop.run() == 3)
    #expect(loop.wakeups == awake)
    #expect((5...7).contains(loop.wakeups))
    timer = nil
  }
}
