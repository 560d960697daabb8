import Testing

@testable import Formats

@Suite struct HomeAssistantTopicsTests {
  @Test("discovery topics use the id, all others the base") func topics() throws {
    let topics = try #require(HomeAssistantTopics(id: "godwit_a1b2", under: "godwit/a1b2"))
    #expect(topics.discovery == "homeassistant/device/godwit_a1b2/config")
    #expect(topics.position == "godwit/a1b2/position")
    #expect(topics.state == "godwit/a1b2/state")
    #expect(
      HomeAssistantTopics(id: "a-B_9", under: "Fahrräder/1", prefix: "ha/x", node: "n")?.discovery
        == "ha/x/device/n/a-B_9/config")
  }

  @Test(
    "an id and a node have letters, digits, _ and -",
    arguments: ["", "a b", "a/b", "é", "a+", "#", "a.b", "a\0"])
  func ids(_ id: String) {
    #expect(HomeAssistantTopics(id: id, under: "a") == nil)
    #expect(HomeAssistantTopics(id: "a", under: "a", node: id) == nil)
  }

  @Test(
    "characters that topics or brokers refuse are in none",
    arguments: [
      "", "/", "a/", "/a", "a//b", "a/+", "#", "a.b", "a b", "a\0", "a\n", "a\u{7f}", "a\u{85}",
      "$SYS/a", "a\u{ffff}", "a\u{a0}b",
    ])
  func bases(_ base: String) {
    #expect(HomeAssistantTopics(id: "a", under: base) == nil)
    #expect(HomeAssistantTopics(id: "a", under: "a", prefix: base) == nil)
  }

  @Test("the length of a topic is limited") func long() {
    #expect(HomeAssistantTopics(id: "a", under: String(repeating: "a", count: 256)) != nil)
    #expect(HomeAssistantTopics(id: "a", under: String(repeating: "a", count: 257)) == nil)
  }
}
