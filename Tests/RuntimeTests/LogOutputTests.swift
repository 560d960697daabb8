import ReceiverStandIns
import Records
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// Log messages to readers that do not read.
@Suite struct LogOutputTests {
  /// Both ends of anything that may be a daemon's standard error.
  private struct Ends {
    let reader: Int32
    let writer: Int32

    func close() {
      Glibc.close(reader)
      Glibc.close(writer)
    }

    static func pipe() -> Ends {
      var ends: [Int32] = [-1, -1]
      precondition(Glibc.pipe(&ends) == 0)
      return Ends(reader: ends[0], writer: ends[1])
    }

    static func socket() -> Ends {
      var ends: [Int32] = [-1, -1]
      precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      return Ends(reader: ends[0], writer: ends[1])
    }

    /// Reads until the buffer is empty.
    func drain() -> String {
      _ = fcntl(reader, F_SETFL, O_NONBLOCK)
      var text: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(reader, &chunk, chunk.count), count > 0 {
        text += chunk[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private func expectDrops(
    _ ends: Ends, mayReopen: Bool = true, stop: () -> Void = {}, resume: () -> Void = {}
  ) {
    let flags = fcntl(ends.writer, F_GETFL)
    let log = LogOutput(ends.writer, mayReopen: mayReopen)
    log.write("line 0")
    stop()
    var written = 1
    while log.dropped == 0, written < 100_000 {
      log.write("line \(written)")
      written += 1
    }
    for _ in 0..<6 { log.write("nobody reads this") }
    #expect(log.dropped == 7)
    #expect(fcntl(ends.writer, F_GETFL) == flags, "others write to the same description")
    resume()
    let before = ends.drain()
    #expect(before.contains("line 0"))
    log.write("read again")
    let after = ends.drain()
    #expect(after.contains("missing messages: 7"))
    #expect(after.contains("read again") && !after.contains("nobody reads this"))
    log.write("and again")
    #expect(!ends.drain().contains("missing"))
    #expect(log.dropped == 7)
    ends.close()
  }

  @Test("a pipe without a reader") func aPipe() { expectDrops(.pipe()) }

  @Test("a pipe that cannot be opened again")
  func aPipeOfAnotherUser() { expectDrops(.pipe(), mayReopen: false) }

  @Test("a journal that hangs") func aSocket() { expectDrops(.socket()) }

  @Test("a terminal that is stopped")
  func aTerminal() {
    let terminal = Pseudoterminal()
    // `Ends` closes these duplicates.
    let ends = Ends(
      reader: fcntl(terminal.master, F_DUPFD_CLOEXEC, 0),
      writer: open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    // The same as Control-S and Control-Q.
    expectDrops(
      ends, stop: { tcflow(ends.writer, TCOOFF) }, resume: { tcflow(ends.writer, TCOON) })
  }

  @Test("a line that was taken in part is finished before the next one")
  func aPartIsFinished() {
    let ends = Ends.pipe()
    let log = LogOutput(ends.writer)
    // 16 kB per line into 64 kB: the last line is written in part.
    let long = String(repeating: "x", count: 12_000)
    while log.dropped == 0 { log.write(long) }
    var text = ends.drain()
    log.write("end")
    text += ends.drain()
    let lines = text.split(separator: "\n")
    #expect(lines.dropLast(2).allSatisfy { $0 == long })
    #expect(lines.suffix(2).first?.contains("missing messages: 1") == true)
    #expect(lines.last == "end")
    ends.close()
  }

  @Test("a closed reader costs nothing but the messages")
  func aReaderThatIsGone() {
    signal(SIGPIPE, SIG_IGN)
    let ends = Ends.pipe()
    close(ends.reader)
    let log = LogOutput(ends.writer)
    log.write(LogEvent("kind", "reason"))
    #expect(log.dropped == 1)
    close(ends.writer)
  }
}
