import BrokerStandIns
import Foundation
import Messaging
import ReceiverStandIns
import TestSupport
import Testing

/// Letters between two boards with the real programs: two daemons, two uplinks and mosquitto. All
/// except mosquitto are killed again and again.
@Suite(
  .serialized,
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct LetterKillTests {
  private static let letters = 6

  @Test(
    "whichever process is killed, every letter arrives once and is reported once",
    .timeLimit(.minutes(2)))
  func kills() throws {
    let folder = try ScratchFolder()
    let list = MessageTopic.accessList
    try folder.write(list.joined(separator: "\n") + "\n", to: "acl")
    let mosquitto = try #require(
      try MosquittoProcess(
        ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: folder))
    let boards = [
      try PersonsBoard("anna", broker: mosquitto.port),
      try PersonsBoard("ben", broker: mosquitto.port),
    ]
    for (board, other) in [(boards[0], boards[1]), (boards[1], boards[0])] {
      try board.does("contacts", "add", other.name.uppercased(), other.name)
    }
    var chance = SplitMix(seed: 16)
    for number in 0..<Self.letters * 2 {
      let (writer, reader) = (boards[number % 2], boards[1 - number % 2])
      let changes = [writer, reader].map { $0.changes() }
      try writer.does(
        "letters", "add", "--to", reader.name, "--at", "47.285217,8.565265", "--radius", "50",
        "Letter \(number)")
      let victim = Int.random(in: 0..<2, using: &chance)
      [writer, reader][victim].pass(.random(in: 1...8, using: &chance), of: changes[victim])
      if Bool.random(using: &chance) {
        try [writer, reader][victim].killUplink()
      } else {
        try [writer, reader][victim].killDaemon()
      }
      mosquitto.readLog()
    }
    let deadline = ContinuousClock.now + .seconds(60)
    for board in boards {
      let isDone = try board.waits(until: deadline) {
        try board.query(Self.standing) == "\(Self.letters)|0"
      }
      let messages = try board.query("SELECT kind, name, message FROM messages")
      #expect(isDone, "\(messages)\n\(board.remarks)")
      let notices = try board.query("SELECT count(*), count(DISTINCT id) FROM notices")
      #expect(notices == "\(Self.letters)|\(Self.letters)", "\(board.remarks)")
    }
  }

  /// Number of letters here, and number still in transit.
  private static let standing = """
    SELECT
      count(*) FILTER (WHERE kind = 'letter' AND message LIKE '%"standing":"delivered"%'),
      count(*) FILTER (
        WHERE kind = 'publication'
          OR kind = 'outgoing_letter' AND message GLOB '*"stage":"[lt]*')
    FROM messages
    """
}
