import Glibc
import Testing

@testable import Hardware

/// Uses a socket pair of this machine's kernel, which runs the filter.
@Suite struct PrefixFilterTests {
  private func passed(_ prefixes: [String], _ messages: [String]) throws -> [String] {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &pair) == 0)
    defer { for end in pair { close(end) } }
    try #require(PrefixFilter(prefixes.map { Array($0.utf8) }).attach(to: pair[1]))
    for message in messages {
      _ = send(pair[0], message, message.utf8.count, Int32(MSG_DONTWAIT))
    }
    var taken: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(pair[1], &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
      taken.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
    return taken
  }

  @Test("messages about the device pass, whatever follows, and others do not")
  func theDeviceGetsThrough() throws {
    let path = "/devices/platform/charger/power_supply/usb"
    let wanted = ["change@\(path)\0ACTION=change\0", "remove@\(path)\0", "change@\(path)\0"]
    let others = [
      "", "c", "change@", "change@\(path)", "change@\(path)2\0", "add@\(path)\0",
      "change@/devices/platform/charger/power_supply/ac\0", "remove@\(path)/hwmon0\0",
      "libudev\0change@\(path)\0",
    ]
    #expect(try passed(["change@\(path)\0", "remove@\(path)\0"], others + wanted) == wanted)
  }

  @Test(
    "texts of every length are compared to their last byte", arguments: [1, 2, 3, 4, 5, 7, 8, 899])
  func everyByteCounts(length: Int) throws {
    let text = String(repeating: "a", count: length)
    let wrong = String(text.dropLast()) + "b"
    #expect(try passed([text], [wrong, text, text + "c"]) == [text, text + "c"])
  }

  @Test("a text that is too long is compared up to the limit, and the kernel accepts the program")
  func longTextsAreCut() throws {
    let text = String(repeating: "a", count: 4000)
    let cut = String(text.prefix(PrefixFilter.maxLength))
    #expect(try passed([text, text + "b"], ["a", cut]) == [cut])
  }
}
