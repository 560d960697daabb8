import Core
import Testing

@testable import Hardware

@Suite struct AlertCommandSettingsTests {
  private func conflicts(_ words: [String]) -> [String] {
    var settings = AlertCommandSettings()
    settings.words = words
    return DeclaredSettings(in: settings).conflicts.map(\.key)
  }

  private func reads(_ words: String...) -> Bool {
    var settings = AlertCommandSettings()
    let value = WrittenValue(.array(words.map { WrittenValue(.string($0), line: 1) }), line: 1)
    do throws(SettingMismatch) {
      try settings.set("command", value)
      return settings.words == words
    } catch {
      return false
    }
  }

  @Test("a program is named by its absolute path, whatever the arguments") func path() {
    #expect(conflicts([]) == [])
    #expect(conflicts(["/usr/bin/logger", "arrived"]) == [])
    for program in ["logger", "./logger", "~/bin/logger", " /bin/logger"] {
      #expect(conflicts([program, "/tmp"]) == ["command"])
    }
  }

  @Test("words are not empty and contain only what an argument can") func words() {
    #expect(reads() && reads("/bin/x", "$(y)", "a b", "'"))
    #expect(!reads("/bin/x", ""))
    #expect(!reads("/bin/x", "a\0b"))
    #expect(reads("/bin/x", String(repeating: "x", count: 1024)))
    #expect(!reads("/bin/x", String(repeating: "x", count: 1025)))
  }
}
