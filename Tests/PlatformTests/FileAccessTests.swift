import Foundation
import TestSupport
import Testing

@testable import Platform

/// Runs without root, because file permissions do not bind root.
@Suite(.enabled(if: geteuid() == 0, "only root can give a file to a group")) struct FileAccessTests
{
  let folder: ScratchFolder
  let group: String
  var path: String { folder.file("state/track.gpkg") }

  init() throws {
    folder = try ScratchFolder()
    try folder.write("", to: "state/track.gpkg")
    chmod(folder.path, 0o755)
    group = try #require(getgrgid(1)).pointee.gr_name.map { String(cString: $0) } ?? ""
    #expect(chown(path, 2, 1) == 0 && chown(folder.file("state"), 2, 1) == 0)
  }

  private func caller(in groups: Set<gid_t> = [], isListed: Bool = false) -> Caller {
    Caller(user: 4711, groups: groups, name: "dana") { _ in isListed }
  }

  private func denial(_ use: FileAccess.Use, _ caller: Caller) -> String? {
    FileAccess.denial(of: use, to: path, for: caller)
  }

  @Test("a folder for a group names that group and how to join it")
  func joining() {
    chmod(folder.file("state"), 0o750)
    chmod(path, 0o640)
    #expect(
      denial(.reading, caller())
        == "only the group \(group) may read \(path): sudo usermod -aG \(group) dana, "
        + "then log in again")
    #expect(denial(.reading, caller(isListed: true))?.hasSuffix("log in again") == true)
    #expect(denial(.reading, caller(isListed: true))?.contains("usermod") == false)
  }

  @Test("a group that may only read is not suggested for writing")
  func owner() throws {
    chmod(folder.file("state"), 0o750)
    chmod(path, 0o640)
    let name = try #require(getpwuid(2)).pointee.pw_name.map { String(cString: $0) }
    #expect(
      denial(.writing, caller())
        == "only the user \(name ?? "") may write to \(path): use sudo -u \(name ?? "")")
  }

  @Test("a writable file in a read-only folder is denied by the folder")
  func closedFolder() {
    chmod(folder.file("state"), 0o770)
    chmod(path, 0o666)
    #expect(denial(.writing, caller())?.contains("may write to \(folder.file("state")):") == true)
    #expect(denial(.writing, caller(in: [1])) == nil)
    #expect(FileAccess.denial(of: .reading, to: path, for: .current) == nil, "root may")
  }

  @Test("a missing socket is denied by the folder it would be in")
  func missing() {
    chmod(folder.file("state"), 0o755)
    let new = folder.file("state/control.sock")
    let denial = FileAccess.denial(of: .writing, to: new, for: caller())
    #expect(denial?.contains("may write to \(folder.file("state"))") == true)
    #expect(FileAccess.denial(of: .writing, to: "/nowhere/at/all", for: caller()) == nil)
  }
}
