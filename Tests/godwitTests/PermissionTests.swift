import Foundation
import TestSupport
import Testing

/// Errors for a user outside the daemon's group. Runs as another user, because permissions do not
/// bind root.
@Suite(.enabled(if: geteuid() == 0, "only root can take another user's part"))
struct PermissionTests {
  let folder: ScratchFolder
  let group: String

  init() throws {
    folder = try ScratchFolder()
    chmod(folder.path, 0o755)
    group = try #require(getgrgid(1)).pointee.gr_name.map { String(cString: $0) } ?? ""
    // The other user may not be able to enter the build folder, which can be in a home folder.
    try folder.copyProgram(BuiltProgram.path("godwit"), to: "godwit")
  }

  /// A folder of the daemon, with its unit's permissions.
  private func make(_ name: String) throws -> String {
    try folder.write("", to: "\(name)/settings")
    #expect(chown(folder.file(name), 2, 1) == 0 && chmod(folder.file(name), 0o750) == 0)
    return folder.file(name)
  }

  private func stranger(_ arguments: String) throws -> (output: String, status: Int32) {
    try run(
      "setpriv", "--reuid=65534", "--clear-groups", "sh", "-c",
      "\(folder.file("godwit")) \(arguments)")
  }

  private var advice: String { ": sudo usermod -aG \(group) nobody, then log in again" }

  @Test("a store in the daemon's folder names the group that may read it")
  func store() throws {
    let state = try make("state")
    for command in ["visits", "store check", "destinations label 1 Home"] {
      let ended = try stranger("\(command) --store \(state)/track.gpkg")
      #expect(ended.status == 1)
      #expect(
        ended.output.contains("only the group \(group) may enter \(state)\(advice)"),
        "\(command): \(ended.output)")
    }
  }

  @Test("a user who may read a store but not write gets the error for writing")
  func reader() throws {
    try folder.write("", to: "shared/settings")
    chmod(folder.file("shared"), 0o755)
    let store = folder.file("shared/track.gpkg")
    #expect(try Program.run("simulate", "--days", "1", "--store", store).exitCode == 0)
    // With a change log, as the daemon leaves it.
    #expect(
      try Program.run("places", "add", "Hut", "--at", "52,5", "--store", store).exitCode == 0)
    for command in ["destinations label 1 Home", "places edit Hut --name Shed"] {
      let ended = try stranger("\(command) --store \(store)")
      #expect(ended.status == 1)
      #expect(
        ended.output.hasPrefix("godwit: cannot write to the store \(store): it is read-only"),
        "\(command): \(ended.output)")
    }
    #expect(try stranger("places list --store \(store)").output.contains("Hut"))
  }

  @Test("a control socket in the daemon's folder names the group that may use it")
  func socket() throws {
    let state = try make("run")
    let ended = try stranger("status --socket \(state)/control.sock --config /dev/null")
    #expect(ended.status == 1)
    #expect(
      ended.output.contains("only the group \(group) may enter \(state)\(advice)"),
      "\(ended.output)")
  }
}
