import Records
import TestSupport
import Testing

/// Several steps stored as one change.
@Suite struct MessageChangeTests {
  private func message(_ name: String, _ text: String) -> StoredMessage {
    StoredMessage(.init(.letter, name), text)
  }

  private func change(_ kept: [StoredMessage], removed: [String] = []) -> MessageChange {
    var change = MessageChange()
    change.stored = kept
    change.removed = removed.map { .init(.letter, $0) }
    return change
  }

  @Test("of two changes of the same message the later one is kept") func later() {
    var all = change([message("a", "1"), message("b", "1")], removed: ["c", "d"])
    all.append(change([message("a", "2"), message("c", "2")], removed: ["b"]))
    #expect(all == change([message("a", "2"), message("c", "2")], removed: ["d", "b"]))
    all.append(MessageChange())
    #expect(all.stored.count == 2 && all.removed.count == 2)
  }

  @Test("the result is in the order of the steps, with all notices") func order() {
    func notice(_ id: Int64) -> Notice {
      Notice(id: id, time: nil, alert: nil, name: "letters", kind: .letter, text: "no. \(id)")
    }
    var steps = [
      change([message("a", "1"), message("b", "1")]), change([message("c", "2")], removed: ["d"]),
      change([message("a", "3")], removed: ["e"]),
    ]
    for index in steps.indices { steps[index].notices = [notice(Int64(index))] }
    let all = MessageChange(joining: steps)
    #expect(all.stored == [message("b", "1"), message("c", "2"), message("a", "3")])
    #expect(all.removed.map(\.name) == ["d", "e"])
    #expect(all.notices.map(\.id) == [0, 1, 2])
  }

  @Test("joined changes have the effect of each in turn", arguments: 0..<50)
  func joined(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let names = ["a", "b", "c", "d", "e"]
    let steps = (0..<8).map { step in
      let changed = names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
      let removed = changed.filter { _ in Bool.random(using: &random) }
      return change(
        changed.filter { !removed.contains($0) }.map { message($0, "\(step)") }, removed: removed)
    }
    let all = MessageChange(joining: steps)
    #expect(stored(after: [all]) == stored(after: steps))
    #expect(Set(all.removed + all.stored.map(\.key)).count == all.removed.count + all.stored.count)
  }

  private func stored(after steps: [MessageChange]) -> [StoredMessage.Key: String] {
    var rows = [message("a", "before").key: "before", message("e", "before").key: "before"]
    for step in steps {
      for key in step.removed { rows[key] = nil }
      for item in step.stored { rows[item.key] = item.text }
    }
    return rows
  }
}
