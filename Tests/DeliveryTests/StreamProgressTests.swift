import Delivery
import Core
import Testing

/// How much of a stream has been received.
@Suite struct StreamProgressTests {
  private static func records(_ numbers: Int64...) -> [CollectedRecord] {
    numbers.map { CollectedRecord(sequence: $0, layer: "visits", record: 1, .withdrawn) }
  }

  @Test("each number is new once, whether it closes a gap or is ahead of one") func once() throws {
    var progress = StreamProgress()
    #expect(try progress.take(Self.records(3, 1, 3)).map(\.sequence) == [3, 1])
    #expect(progress == StreamProgress(through: 1, ahead: [3]))
    #expect(try progress.take(Self.records(1, 3, 2, 5)).map(\.sequence) == [2, 5])
    #expect(progress == StreamProgress(through: 3, ahead: [5]))
    #expect(try progress.take([]).isEmpty)
  }

  @Test("more numbers ahead of a gap than a board ever sends are refused") func wild() throws {
    let most = Int64(StreamProgress.mostAhead)
    var progress = StreamProgress(through: 0, ahead: Set(2...(most + 1)))
    #expect(throws: MessageProblem.self) {
      var full = progress
      _ = try full.take(Self.records(most + 9))
    }
    #expect(try progress.take(Self.records(1)).count == 1)
    #expect(progress == StreamProgress(through: most + 1))
  }

  @Test("a record of a known kind becomes a row; others are kept as received")
  func entries() {
    func entry(_ layer: String, _ row: [(name: String, value: JSONValue)]) -> CollectionEntry {
      CollectedRecord(sequence: 1, layer: layer, record: 1, .row(row)).entry
    }
    if case .row(let layer, let values, let others) = entry(
      "events",
      [
        ("level", .string("info")), ("kind", .string("k")), ("reason", .string("r")),
        ("mood", .string("good")),
      ])
    {
      #expect(layer.name == "events" && values.count == layer.columns.count)
      #expect(others == #"{"mood":"good"}"#)
    } else {
      Issue.record("an event is no row")
    }
    for (layer, row) in [("moods", #"{"level":"info"}"#), ("events", #"{"level":"info"}"#)] {
      guard case .other(row) = entry(layer, [("level", .string("info"))]) else {
        Issue.record("\(layer) is not kept as it came")
        continue
      }
    }
  }
}
