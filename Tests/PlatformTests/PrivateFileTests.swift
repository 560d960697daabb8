import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct PrivateFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("it is empty, and its user's alone") func isPrivate() throws {
    let path = folder.file("new")
    close(try PrivateFile.make(path))
    let made = try #require(FileStatus(path: path)?.kernel)
    #expect(made.st_mode & 0o777 == 0o600 && made.st_size == 0)
    #expect(made.st_uid == geteuid())
  }

  @Test("what is there already is left alone, a link included") func keeps() throws {
    try folder.write("mine", to: "old")
    symlink(folder.file("target"), folder.file("link"))
    for name in ["old", "link"] {
      #expect(throws: SystemError(code: EEXIST)) { try PrivateFile.make(folder.file(name)) }
    }
    #expect(try folder.text("old") == "mine")
    #expect(FileStatus(path: folder.file("target")) == nil)
  }

  @Test(
    "root makes it for whoever has the folder",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func givesAway() throws {
    #expect(chown(folder.path, 2, 1) == 0)
    let path = folder.file("new")
    close(try PrivateFile.make(path))
    let made = try #require(FileStatus(path: path)?.kernel)
    #expect(made.st_uid == 2 && made.st_gid == 1)
  }
}
