import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct SystemFilesTests {
  @Test("the first line ends at a newline or a NUL, and an empty one is nil")
  func firstLine() throws {
    let folder = try ScratchFolder()
    for (text, line) in [
      ("ina226\n", "ina226"), ("Y", "Y"), ("a b\nc\n", "a b"), ("gpsd\0x", "gpsd"), ("", nil),
      ("\nlater", nil),
    ] as [(String, String?)] {
      try folder.write(text, to: "file")
      #expect(SystemFiles.firstLine(of: folder.file("file")) == line, "\(text)")
    }
    #expect(SystemFiles.firstLine(of: folder.file("nothing")) == nil)
    #expect(SystemFiles.firstLine(of: folder.path) == nil)
  }

  @Test("no more is read than requested, and all that exists")
  func bounds() throws {
    let folder = try ScratchFolder()
    try folder.write(String(repeating: "x", count: 10_000), to: "file")
    let path = folder.file("file")
    #expect(try SystemFiles.bytes(of: path, atMost: 10).count == 10)
    #expect(try SystemFiles.bytes(of: path, atMost: 5000).count == 5000)
    #expect(try SystemFiles.bytes(of: path, atMost: 20_000).count == 10_000)
    #expect(throws: SystemError(code: ENOENT)) {
      try SystemFiles.bytes(of: folder.file("nothing"), atMost: 1)
    }
    #expect(throws: SystemError(code: EISDIR)) {
      try SystemFiles.bytes(of: folder.path, atMost: 1)
    }
  }

  @Test("a pipe without a writer does not block", .timeLimit(.minutes(1)))
  func pipe() throws {
    let folder = try ScratchFolder()
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(try SystemFiles.bytes(of: folder.file("pipe"), atMost: 10) == [])
  }

  @Test("names come without the folder itself and its parent")
  func names() throws {
    let folder = try ScratchFolder()
    for name in ["a", "b c", ".hidden", "ü"] { try folder.write("", to: name) }
    #expect(SystemFiles.names(in: folder.path).sorted() == [".hidden", "a", "b c", "ü"])
    #expect(SystemFiles.names(in: folder.file("nothing")) == [])
    #expect(SystemFiles.names(in: folder.file("a")) == [])
  }

  @Test("a link is distinguished from its target")
  func links() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "file")
    #expect(symlink("file", folder.file("link")) == 0)
    #expect(symlink("gone", folder.file("dangling")) == 0)
    #expect(SystemFiles.target(ofLink: folder.file("link")) == "file")
    #expect(SystemFiles.target(ofLink: folder.file("dangling")) == "gone")
    #expect(SystemFiles.target(ofLink: folder.file("file")) == nil)
    let real = try #require(SystemFiles.resolved(folder.path))
    #expect(SystemFiles.resolved(folder.file("link")) == real + "/file")
    #expect(SystemFiles.resolved(folder.file("dangling")) == nil)
  }

  @Test("the kernel names its release and this run of it")
  func runningSystem() {
    #expect(RunningSystem.kernelRelease.first?.isNumber == true)
    #expect(RunningSystem.bootID.map { $0.count == 36 } ?? true)
    #expect(RunningSystem.bootID == RunningSystem.bootID)
  }
}
