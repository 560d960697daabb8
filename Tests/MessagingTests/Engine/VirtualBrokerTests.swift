import PeopleExperiment
import Testing

/// Checks the virtual broker before other tests depend on it.
@Suite struct VirtualBrokerTests {
  @Test("a filter's + matches one level, and its # all that follow") func filters() {
    #expect(VirtualBroker.matches("a/+/c", "a/b/c"))
    #expect(!VirtualBroker.matches("a/+/c", "a/b/d"))
    #expect(!VirtualBroker.matches("a/+", "a/b/c"))
    #expect(!VirtualBroker.matches("a/+/c", "a/b"))
    #expect(VirtualBroker.matches("a/#", "a/b/c"))
    #expect(VirtualBroker.matches("a/#", "a"))
    #expect(!VirtualBroker.matches("a/b", "a/b/c"))
  }

  @Test("an empty message clears the retained one") func empty() {
    let broker = VirtualBroker()
    broker.inject("a/b", [1], at: 0)
    #expect(broker.topics(at: 0) == ["a/b"])
    broker.inject("a/b", [], at: 0)
    #expect(broker.topics(at: 0).isEmpty)
  }
}
