import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct UnixAddressTests {
  private static func socket(_ kind: __socket_type) -> Int32 {
    Glibc.socket(AF_UNIX, Int32(kind.rawValue), 0)
  }

  @Test("a path has 1 to 107 bytes, also when its characters have several")
  func pathLength() {
    #expect(UnixAddress.maxPathLength == 107)
    #expect(UnixAddress(path: "") == nil)
    #expect(UnixAddress(path: String(repeating: "x", count: 107)) != nil)
    #expect(UnixAddress(path: String(repeating: "x", count: 108)) == nil)
    #expect(UnixAddress(path: String(repeating: "ä", count: 54)) == nil)
  }

  @Test("a client finds the socket by its path")
  func connecting() throws {
    let folder = try ScratchFolder()
    // The longest path allowed: the kernel keeps all of it.
    let room = UnixAddress.maxPathLength - folder.path.utf8.count - 1
    let path = folder.file(String(repeating: "s", count: room))
    let address = try #require(UnixAddress(path: path))
    let client = Self.socket(SOCK_STREAM)
    let server = Self.socket(SOCK_STREAM)
    defer {
      close(client)
      close(server)
    }
    #expect(address.connect(client) == SystemError(code: ENOENT))
    #expect(address.bind(server) == nil)
    #expect(address.connect(client) == SystemError(code: ECONNREFUSED))
    #expect(listen(server, 1) == 0)
    #expect(address.connect(client) == nil)
    #expect(folder.files == [String(repeating: "s", count: room)])
    let other = Self.socket(SOCK_STREAM)
    defer { close(other) }
    #expect(address.bind(other) == SystemError(code: EADDRINUSE))
  }

  @Test("a name after @ needs no file")
  func abstractName() throws {
    let name = "@godwit-test-\(getpid())"
    let address = try #require(UnixAddress(absolutePathOrName: name))
    let server = Self.socket(SOCK_DGRAM)
    let client = Self.socket(SOCK_DGRAM)
    defer {
      close(client)
      close(server)
    }
    #expect(address.send([1], from: client) == SystemError(code: ECONNREFUSED))
    #expect(address.bind(server) == nil)
    #expect(address.send(Array("READY=1".utf8), from: client) == nil)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(recv(server, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 7)
    #expect(!FileManager.default.fileExists(atPath: name))
  }

  @Test(
    "an invalid path, and a vsock address of systemd, are refused",
    arguments: [
      "", "/", "@", "vsock:2:1234", "relative/path", "@" + String(repeating: "x", count: 107),
    ])
  func otherNames(text: String) {
    #expect(UnixAddress(absolutePathOrName: text) == nil)
  }
}
