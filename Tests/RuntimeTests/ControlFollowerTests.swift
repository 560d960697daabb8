import Core
import Platform
import TestSupport
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// Following a daemon beside other work: it is absent, answers, and disconnects.
@Suite struct ControlFollowerTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// A daemon's end of the socket, in the test's own thread.
  private final class Ear {
    private let listener: Int32
    private var client: Int32 = -1

    init(_ path: String) throws {
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let address = try #require(UnixAddress(path: path))
      try #require(address.bind(listener) == nil && listen(listener, 4) == 0)
    }

    deinit { close(listener) }

    func accept() { client = Glibc.accept(listener, nil, nil) }
    func say(_ text: String) { _ = write(client, text, text.utf8.count) }
    func hangUp() { close(client) }
  }

  private func lines(_ updates: [ControlFollower.Update]) -> [String] {
    updates.map { if case .line(let line) = $0 { line.text } else { "lost" } }
  }

  @Test("the error without a daemon states the reason") func nobody() throws {
    let follower = ControlFollower(path: scratch.file("control"))
    #expect(follower.updates().isEmpty)
    #expect(follower.failure?.contains("no daemon answers") == true)
    // The next connection attempt has to wait.
    #expect(follower.updates().isEmpty)
  }

  @Test("complete lines are returned, and the end is reported once") func talks() throws {
    let path = scratch.file("control")
    let ear = try Ear(path)
    let follower = ControlFollower(path: path)
    #expect(follower.updates().isEmpty && follower.failure == nil)
    ear.accept()
    ear.say("{\"event\":\"status\"}\n{\"event\":")
    #expect(lines(follower.updates()) == [#"{"event":"status"}"#])
    ear.say("\"fix\"}\n")
    #expect(lines(follower.updates()) == [#"{"event":"fix"}"#])
    ear.hangUp()
    #expect(lines(follower.updates()) == ["lost"])
    #expect(follower.updates().isEmpty)
  }

  @Test("a flood waits for the next call, and another program's socket ends with the reason")
  func hostile() throws {
    let path = scratch.file("control")
    let ear = try Ear(path)
    let follower = ControlFollower(path: path)
    _ = follower.updates()
    ear.accept()
    ear.say(String(repeating: "{}\n", count: 1500))
    #expect(follower.updates().count == 1000)
    #expect(follower.updates().count == 500)
    ear.say("{\"error\":\"who are you?\"}\n")
    #expect(lines(follower.updates()) == ["lost"])
    #expect(follower.failure?.contains("who are you?") == true)
    let other = ControlFollower(path: path)
    _ = other.updates()
    ear.accept()
    ear.say("HTTP/1.1 400\r\n")
    #expect(lines(other.updates()) == ["lost"])
    #expect(other.failure?.contains("another program's socket") == true)
  }
}
