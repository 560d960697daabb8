import Testing

@testable import Receivers

/// `RealGpsdTests` asks the gpsd of the system; these are the answers of all that Debian ships.
@Suite struct GpsdControlRequestTests {
  @Test(
    "both ways of answering are understood",
    arguments: [
      ("OK\n", true), ("{\"class\":\"ACK\"}\n", true), ("ERROR\n", false),
      ("{\"class\":\"ERROR\"}\n", false), ("", false), ("O", false),
    ])
  func bothWaysOfAnsweringAreUnderstood(answer: String, isDone: Bool) {
    #expect(GpsdControlRequest.agrees(Array(answer.utf8)) == isDone)
  }
}
