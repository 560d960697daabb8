import Glibc
import Platform
import Ports
import TestSupport
import Testing

@testable import Uplink

@Suite struct UplinkSocketTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("simultaneous calls are merged, and none is handled twice") func heard() throws {
    let path = folder.file("call.sock")
    let activationSocket = try ActivationSocket(at: path)
    let caller = UplinkNotifier(path)
    #expect(activationSocket.drain() == [])
    try caller.notify(.records)
    try caller.notify(.records)
    #expect(activationSocket.drain() == [.records])
    #expect(activationSocket.drain() == [])
    try caller.notify(.settings)
    try caller.notify(.records)
    #expect(activationSocket.drain() == [.settings, .records])
  }

  @Test("a full queue is no failure if the uplink was notified") func full() throws {
    let path = folder.file("call.sock")
    let activationSocket = try ActivationSocket(at: path)
    let caller = UplinkNotifier(path)
    for _ in 0..<2000 { try caller.notify(.records) }
    #expect(throws: PortError.self) { try caller.notify(.settings) }
    #expect(activationSocket.drain() == [.records])
  }

  @Test("without an uplink the error states the remedy") func absent() throws {
    let path = folder.file("call.sock")
    let error = thrown(PortError.self) { try UplinkNotifier(path).notify(.records) }
    #expect(error?.message.contains("godwit-uplink.socket") == true)
    #expect(throws: PortError.self) { try UplinkNotifier("").notify(.records) }
    let long = "/" + String(repeating: "a", count: 200)
    #expect(throws: PortError.self) { try ActivationSocket(at: long) }
  }

  @Test("a second uplink is refused, and a killed one's socket removed") func second() throws {
    let path = folder.file("call.sock")
    do {
      let activationSocket = try ActivationSocket(at: path)
      let error = thrown(PortError.self) { try ActivationSocket(at: path) }
      #expect(error?.message.contains("another process") == true)
      try UplinkNotifier(path).notify(.records)
      #expect(activationSocket.drain() == [.records])
    }
    #expect(FileStatus(path: path) == nil, "it goes with its process")
    let left = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    try #require(UnixAddress(path: path)?.bind(left) == nil)
    close(left)
    let activationSocket = try ActivationSocket(at: path)
    try UplinkNotifier(path).notify(.records)
    #expect(activationSocket.drain() == [.records])
  }

  @Test("a foreign file is left alone") func file() throws {
    try folder.write("mine", to: "call.sock")
    #expect(throws: PortError.self) { try ActivationSocket(at: folder.file("call.sock")) }
    #expect(FileStatus(path: folder.file("call.sock"))?.kind == .regular)
  }
}
