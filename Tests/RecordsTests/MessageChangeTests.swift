import Records
import Testing

/// Several steps as one change.
@Suite struct MessageChangeTests {
  private func message(_ name: String, _ text: String) -> StoredMessage {
    StoredMessage(.init(.letter, name), text)
  }

  private func change(_ kept: [StoredMessage], removed: [String] = []) -> MessageChange {
    var change = MessageChange()
    change.kept = kept
    change.removed = removed.map { .init(.letter, $0) }
    return change
  }

  @Test("of two changes of the same message the later one counts") func later() {
    var all = change([message("a", "1"), message("b", "1")], removed: ["c", "d"])
    all.append(change([message("a", "2"), message("c", "2")], removed: ["b"]))
    #expect(all == change([message("a", "2"), message("c", "2")], removed: ["d", "b"]))
    all.append(MessageChange())
    #expect(all.kept.count == 2 && all.removed.count == 2)
  }
}
