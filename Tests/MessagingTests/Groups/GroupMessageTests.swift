import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct GroupMessageTests {
  private static let id = "123e4567-e89b-42d3-a456-426614174000"
  private static let group =
    "{\"type\":\"group\",\"version\":1,\"id\":\"\(id)\",\"revision\":2,\"name\":\"Class 3b\","
    + "\"description\":\"To the zoo\",\"guide\":\"guide\",\"range_m\":200,\"allowed\":[\"mia\"],"
    + "\"ends\":\"2026-05-01T16:00:00.000Z\",\"oldest_position_s\":600,\"ask_every_s\":120}"
  private static let meeting =
    "{\"type\":\"meeting\",\"version\":1,\"id\":\"\(id)\",\"revision\":1,\"organizer\":\"olga\","
    + "\"name\":\"Festival\",\"latitude\":48.2,\"longitude\":16.37,\"region\":{\"latitude\":48.2,"
    + "\"longitude\":16.37,\"radius_m\":500},\"starts\":\"2026-05-01T16:00:00.000Z\","
    + "\"ends\":\"2026-05-01T18:00:00.000Z\"}"
  private static let drawn =
    "{\"type\":\"meeting\",\"version\":1,\"id\":\"\(id)\",\"revision\":1,\"organizer\":\"olga\","
    + "\"name\":\"Fair\",\"description\":\"Stand 7\",\"latitude\":48.2,\"longitude\":16.37,"
    + "\"region\":{\"polygons\":[[[[16.36,48.19],[16.38,48.19],[16.38,48.21],[16.36,48.19]]]]},"
    + "\"starts\":\"2026-05-01T16:00:00.000Z\",\"ends\":\"2026-05-01T18:00:00.000Z\","
    + "\"invited\":[\"anna\",\"ben\"],\"cancelled\":true}"

  private static let messages = [
    group, meeting, drawn,
    "{\"type\":\"group_position\",\"version\":1,\"group\":\"\(id)\",\"person\":\"mia\","
      + "\"time\":\"2026-05-01T12:00:00.000Z\",\"latitude\":48.2,\"longitude\":16.37,"
      + "\"accuracy_m\":4.5}",
    "{\"type\":\"attendance\",\"version\":1,\"of\":\"group\",\"id\":\"\(id)\",\"person\":\"mia\","
      + "\"deed\":\"join\",\"at\":\"2026-05-01T12:00:00.000Z\"}",
    "{\"type\":\"attendance\",\"version\":1,\"of\":\"meeting\",\"id\":\"\(id)\","
      + "\"person\":\"mia\",\"deed\":\"leave\"}",
  ]

  private func error(_ text: String, _ part: String, _ other: String) -> String? {
    #expect(text.contains(part))
    let text = text.replacing(part, with: other)
    return thrown(MessageError.self) { try PeerMessage(Array(text.utf8)) }?.description
  }

  @Test("a message is written as it was read, byte for byte", arguments: messages)
  func bytes(text: String) throws {
    let message = try PeerMessage(Array(text.utf8))
    #expect(String(decoding: message.bytes, as: UTF8.self) == text)
    #expect(try PeerMessage(message.bytes) == message)
  }

  @Test("every invalid member is an error with its place and the remedy") func wrong() {
    #expect(error(Self.group, "\"group\"", "\"herd\"")?.hasPrefix("type: it is not one of") == true)
    #expect(
      error(Self.group, "\"range_m\":200", "\"range_m\":5")
        == "range_m: 5.0 m is not a valid range: use 20.0 m to 50000.0 m")
    #expect(error(Self.group, ":120", ":600")?.hasPrefix("ask_every_s: positions would") == true)
    #expect(error(Self.group, "2026-05-01T16", "1970-01-01T16")?.hasPrefix("ends: it was") == true)
    #expect(
      error(Self.group, "[\"mia\"]", "[]") == "allowed: it is empty: name at least one person")
    #expect(
      error(Self.group, "\"guide\":\"guide\"", "\"guide\":\"The guide\"")?
        .hasPrefix("guide: \"The guide\" does not begin") == true)
    #expect(
      error(Self.meeting, "T18", "T15") == "ends: it ends before it begins: swap the two")
    #expect(
      error(Self.meeting, "\"radius_m\":500", "\"radius_m\":-1")?
        .hasPrefix("region.radius_m: -1.0 m is not a valid radius") == true)
    #expect(
      error(Self.meeting, "\"radius_m\":500", "\"r\":1") == "region.radius_m: it is missing: add it"
    )
    #expect(error(Self.drawn, "[16.38,48.21],", "")?.hasPrefix("region.polygons[0]") == true)
    #expect(error(Self.drawn, "[16.38,48.21]", "[16.38]")?.hasPrefix("region.polygons") == true)
    #expect(error(Self.drawn, "16.38,48.19", "96.38,48.19")?.contains("too large") == true)
    #expect(error(Self.messages[3], "2026", "1970")?.hasPrefix("time: it comes from") == true)
    #expect(
      error(Self.messages[4], "\"join\"", "\"jump\"") == "deed: one of join, leave is expected")
  }

  @Test("no bytes crash the reader", arguments: 1...10 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    for text in Self.messages {
      var bytes = Array(text.utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = .random(
          in: 0...255, using: &chance)
      }
      guard let message = try? PeerMessage(bytes) else { continue }
      #expect((try? PeerMessage(message.bytes)) == message)
    }
  }

  @Test("every message is accepted only under its own topics") func topics() throws {
    func message(_ index: Int) throws -> PeerMessage {
      try PeerMessage(Array(Self.messages[index].utf8))
    }
    guard case .group(let group) = try message(0), case .meeting(let open) = try message(1),
      case .meeting(let closed) = try message(2), case .position(let position) = try message(3),
      case .attendance(let one) = try message(4)
    else { throw MessageError("another message") }
    let topics =
      MessageTopic.topics(of: group, in: nil).map { (0, $0) }
      + MessageTopic.topics(of: open).map { (1, $0) }
      + MessageTopic.topics(of: closed).map { (2, $0) }
      + [(3, MessageTopic.topic(of: position)), (4, MessageTopic.topic(of: one, to: group.guide))]
    #expect(topics.count >= 6)
    for (index, topic) in topics {
      for other in 0...4 {
        let bytes = try message(other).bytes
        if index == other {
          let arrival = try MessageTopic(parsing: topic).arrival(bytes)
          let expected = MessageTopic.Arrival.message(try message(other))
          #expect(arrival == expected)
        } else {
          let error = thrown(MessageError.self) {
            try MessageTopic(parsing: topic).arrival(bytes)
          }
          #expect(error?.path == "topic")
        }
      }
    }
    for (_, topic) in topics {
      #expect(try MessageTopic(parsing: topic).arrival([]) == .cleared)
      #expect(try MessageTopic(parsing: topic).description == topic)
    }
    let forged = try MessageTopic(parsing: "godwit-group-positions/\(position.group)/tom")
    thrown(MessageError.self) { try forged.arrival(try message(3).bytes) }
    thrown(MessageError.self) { try MessageTopic(parsing: "godwit-groups/a/b") }
  }

  @Test("boards nearby receive open groups, and boards of allowed people the others") func heard()
    throws
  {
    guard case .meeting(let open) = try PeerMessage(Array(Self.meeting.utf8)) else { return }
    let areas = try #require(TopicArea.covering(TopicArea.box(around: open.spot)))
    let filters = MessageTopic.subscriptions(
      of: try PersonAddress("anna"), around: areas, joined: [open.id])
    for topic in MessageTopic.topics(of: open) {
      let filter = topic.split(separator: "/").prefix(2).joined(separator: "/") + "/+/+"
      #expect(filters.contains(filter))
    }
    #expect(filters.contains("godwit-meetings/anna/+/+"))
    #expect(filters.contains("godwit-group-positions/\(open.id)/+"))
    #expect(filters.contains("godwit-attendance/+/+/\(open.id)"))
  }
}
