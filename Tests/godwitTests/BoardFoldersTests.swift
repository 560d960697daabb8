import Testing

@testable import godwit

@Suite struct BoardFoldersTests {
  private func installed(_ program: String?) -> [String] {
    BoardFolders(settings: "/settings/godwit.toml", program: program).folders
      .filter { $0.hasSuffix("godwit/boards") }
  }

  @Test("a program with a prefix of its own finds the boards that were installed with it")
  func ownPrefix() {
    #expect(
      installed("/opt/godwit/bin/godwit") == [
        "/etc/godwit/boards", "/opt/godwit/share/godwit/boards", "/usr/local/share/godwit/boards",
        "/usr/share/godwit/boards",
      ])
  }

  @Test(
    "a usual prefix is not looked in twice, and a build folder has no boards",
    arguments: ["/usr/local/bin/godwit", "/usr/bin/godwit", "/src/.build/release/godwit", nil])
  func usualPrefix(program: String?) {
    #expect(
      installed(program) == [
        "/etc/godwit/boards", "/usr/local/share/godwit/boards", "/usr/share/godwit/boards",
      ])
  }
}
