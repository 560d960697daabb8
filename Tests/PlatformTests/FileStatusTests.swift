import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct FileStatusTests {
  @Test("all kinds of file are distinguished")
  func kinds() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "file")
    #expect(symlink("file", folder.file("link")) == 0)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(FileStatus(path: folder.path)?.kind == .directory)
    #expect(FileStatus(path: folder.file("file"))?.kind == .regular)
    #expect(FileStatus(path: folder.file("link"))?.kind == .regular)
    #expect(FileStatus(path: folder.file("link"), followsLinks: false)?.kind == .symbolicLink)
    #expect(FileStatus(path: folder.file("pipe"))?.kind == .pipe)
    #expect(FileStatus(path: "/dev/null")?.kind == .characterDevice)
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    #expect(FileStatus(descriptor: socket)?.kind == .socket)
  }

  @Test("querying whether a file system is writable leaves nothing behind")
  func writes() throws {
    let folder = try ScratchFolder()
    #expect(!FileSystem.refusesWrites(in: folder.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(!FileSystem.refusesWrites(in: "/nowhere/at/all"), "it has not been asked")
  }

  @Test("the error for a missing file states the reason")
  func missing() {
    #expect(FileStatus(path: "/nowhere/at/all") == nil)
    #expect(SystemError.last.code == ENOENT)
    #expect(FileStatus(descriptor: -1) == nil)
    #expect(SystemError.last.code == EBADF)
  }

  @Test("names and descriptors of one file have one identity")
  func identity() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "file")
    try folder.write("", to: "other")
    #expect(link(folder.file("file"), folder.file("twin")) == 0)
    let identity = try #require(FileIdentity(path: folder.file("file")))
    #expect(FileIdentity(path: folder.file("twin")) == identity)
    #expect(FileIdentity(path: folder.file("other")) != identity)
    let descriptor = open(folder.file("twin"), O_RDONLY)
    defer { close(descriptor) }
    #expect(FileIdentity(descriptor: descriptor) == identity)
  }

  /// Numbers from linux/Documentation/admin-guide/devices.txt, and one with more bits than 8 + 8.
  @Test(
    "a device number has two halves",
    arguments: [
      (0x103, "1:3"), (0x801, "8:1"), (0x1fd00, "509:0"), (0xf_fff0_00ff, "0:16777215"),
      (0x1234_5000, "1104:74496"),
    ] as [(UInt64, String)])
  func deviceNumber(packed: UInt64, text: String) {
    #expect(DeviceNumber(packed).description == text)
  }

  @Test("the null device has the number that the kernel documents")
  func nullDevice() {
    #expect(FileStatus(path: "/dev/null")?.device == DeviceNumber(major: 1, minor: 3))
  }

  @Test("a path is cut at its last slash, whatever character follows")
  func pathParts() {
    for (path, folder, name) in [
      ("/run/godwit/socket", "/run/godwit", "socket"), ("/socket", "/", "socket"),
      ("socket", ".", "socket"), ("a/\u{301}b", "a", "\u{301}b"), ("a/", "a", ""),
    ] {
      #expect(PathParts(path).folder == folder)
      #expect(Array(PathParts(path).name.utf8) == Array(name.utf8))
    }
  }
}
