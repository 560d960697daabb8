import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct PrivateFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("a new file is empty and readable by its user only") func isPrivate() throws {
    let path = folder.file("new")
    close(try PrivateFile.make(path))
    let made = try #require(FileStatus(path: path)?.kernel)
    #expect(made.st_mode & 0o777 == 0o600 && made.st_size == 0)
    #expect(made.st_uid == geteuid())
  }

  @Test("an existing file is left alone, even a link") func keeps() throws {
    try folder.write("mine", to: "old")
    symlink(folder.file("target"), folder.file("link"))
    for name in ["old", "link"] {
      #expect(throws: SystemError(code: EEXIST)) { try PrivateFile.make(folder.file(name)) }
    }
    #expect(try folder.text("old") == "mine")
    #expect(FileStatus(path: folder.file("target")) == nil)
  }

  @Test(
    "a file made by root belongs to the folder's owner",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func givesAway() throws {
    #expect(chown(folder.path, 2, 1) == 0)
    let path = folder.file("new")
    close(try PrivateFile.make(path))
    let made = try #require(FileStatus(path: path)?.kernel)
    #expect(made.st_uid == 2 && made.st_gid == 1)
  }
}
