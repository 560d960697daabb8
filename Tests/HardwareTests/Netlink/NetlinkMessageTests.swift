import CNetlink
import Testing

@testable import Hardware

struct NetlinkMessageTests {
  private func read<T>(_ bytes: [UInt8], _ read: (NetlinkMessage) -> T) -> [T] {
    var found: [T] = []
    bytes.withUnsafeBytes { NetlinkMessage.forEach(in: $0) { found.append(read($0)) } }
    return found
  }

  private typealias Bytes = MessageBytes

  @Test("messages and their attributes are read one after the other")
  func plain() {
    let head: [UInt8] = [1, 1, 0, 0]
    let bytes =
      Bytes.message(
        0x1c, flags: 2, sequence: 7,
        head + Bytes.attribute(2, Array("nl80211\0".utf8)) + Bytes.attribute(1, [0x1c, 0]))
      + Bytes.message(3, sequence: 8)
    #expect(read(bytes) { $0.type } == [0x1c, 3])
    #expect(read(bytes) { $0.sequence } == [7, 8])
    let names = read(bytes) { $0.split(genlmsghdr.self)?.1.first(2)?.text }
    #expect(names == ["nl80211", nil])
    let numbers: [UInt16?] = read(bytes) { $0.split(genlmsghdr.self)?.1.first(1)?.value() }
    #expect(numbers == [0x1c, nil])
  }

  @Test("a value of another length is ignored")
  func wrongLength() {
    let bytes = Bytes.message(20, [0, 0, 0, 0] + Bytes.attribute(1, [1, 2, 3]))
    let short: [UInt16?] = read(bytes) { $0.split(genlmsghdr.self)?.1.first(1)?.value() }
    let long: [UInt32?] = read(bytes) { $0.split(genlmsghdr.self)?.1.first(1)?.value() }
    #expect(short == [nil])
    #expect(long == [nil])
  }

  @Test("flags in a type do not change it")
  func nestedFlag() {
    let inner = Bytes.attribute(5, [9])
    let bytes = Bytes.message(20, [0, 0, 0, 0] + Bytes.attribute(0x8000 | 3, inner))
    let found = read(bytes) {
      $0.split(genlmsghdr.self)?.1.first(3)?.nested.first(5).map { Array($0.payload) }
    }
    #expect(found == [[9]])
  }

  @Test(
    "wrong lengths end reading within the buffer",
    arguments: [UInt32(0), 15, 17, 4096, .max])
  func lyingMessage(length: UInt32) {
    var bytes = Bytes.message(20, [1, 2, 3, 4])
    bytes.replaceSubrange(0..<4, with: Bytes.number(length))
    let counts = read(bytes) { $0.payload.count }
    #expect(counts.allSatisfy { $0 <= 4 })
    #expect(counts.isEmpty || length == 17)
  }

  @Test("a wrong attribute length ends the attributes", arguments: [UInt16(0), 3, 9, .max])
  func lyingAttribute(length: UInt16) {
    let lie = Bytes.number(length) + Bytes.number(UInt16(1)) + [0, 0, 0, 0]
    let bytes = Bytes.message(20, [0, 0, 0, 0] + Bytes.attribute(2, [1]) + lie)
    let kinds = read(bytes) { Array($0.split(genlmsghdr.self)?.1.map(\.kind) ?? []) }
    #expect(kinds == [[2]])
  }

  @Test("any truncated message is read within its bounds")
  func cuts() {
    let whole = Bytes.message(
      20, [0, 0, 0, 0] + Bytes.attribute(2, Bytes.attribute(1, [1, 2, 3, 4, 5])))
    for end in 0..<whole.count {
      let found = read(Array(whole[..<end])) { $0.payload.count }
      #expect(found.allSatisfy { $0 <= end })
    }
  }

  @Test("a request has netlink's layout")
  func request() {
    var request = NetlinkRequest(family: 0x10, command: 3, isDump: true)
    request.add(2, Array("abc".utf8))
    let payload: [UInt8] = [3, 1, 0, 0] + Bytes.attribute(2, Array("abc".utf8))
    #expect(request.numbered(9) == Bytes.message(0x10, flags: 0x301, sequence: 9, payload))
  }

  @Test("an answer ends with its own end message, not with another's")
  func answers() {
    var reader = AnswerReader(sequence: 5)
    var taken: [UInt16] = []
    func feed(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { reader.read($0) { taken.append($0.type) } }
    }
    feed(Bytes.message(16, sequence: 4) + Bytes.message(3, sequence: 4, [0, 0, 0, 0]))
    #expect(reader.end == nil)
    feed(Bytes.message(16, flags: 2, sequence: 5) + Bytes.message(17, flags: 0x10, sequence: 5))
    feed(Bytes.message(3, sequence: 5, [0, 0, 0, 0]) + Bytes.message(18, sequence: 5))
    #expect(taken == [16, 17])
    #expect(reader.end?.error.code == 0)
    #expect(reader.isInterrupted)
  }

  @Test("a refusal includes the kernel's text")
  func refusal() {
    var reader = AnswerReader(sequence: 5)
    let repeated = [UInt8](repeating: 0, count: 16)
    let bytes = Bytes.message(
      2, flags: 0x200, sequence: 5,
      Bytes.number(Int32(-95)) + repeated + Bytes.attribute(1, Array("no such table\0".utf8)))
    bytes.withUnsafeBytes { reader.read($0) { _ in } }
    #expect(reader.end?.text == "Operation not supported (no such table)")
  }
}
