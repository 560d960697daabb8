import Core
import Testing
import VirtualDevice

@Suite struct UBXMessagesTests {
  func board() throws -> VirtualBoard {
    let board = VirtualBoard(
      groundTruth: drive(seconds: 200),
      settings: .init(receiver: .init(language: .ubx), coarse: nil, seed: 3))
    try board.receiver.open()
    return board
  }

  /// The frames in a stream that contains nothing else; nil if one is damaged.
  func frames(_ bytes: [UInt8]) -> [[UInt8]]? {
    var rest = bytes[...]
    var frames: [[UInt8]] = []
    while !rest.isEmpty {
      guard rest.starts(with: [0xB5, 0x62]), rest.count >= 8 else { return nil }
      let length = Int(rest[rest.startIndex + 4]) + Int(rest[rest.startIndex + 5]) << 8 + 8
      guard rest.count >= length else { return nil }
      let frame = Array(rest.prefix(length))
      var (a, b): (UInt8, UInt8) = (0, 0)
      for byte in frame[2..<(length - 2)] {
        a &+= byte
        b &+= a
      }
      guard frame[length - 2] == a, frame[length - 1] == b else { return nil }
      frames.append(frame)
      rest = rest.dropFirst(length)
    }
    return frames
  }

  @Test("every epoch is one complete NAV-PVT, with NAV-SAT while it searches")
  func oneWholeNavPvtForEachEpoch() throws {
    let board = try board()
    try board.powerSwitch.set(.supply, active: true)
    let all = try #require(frames(try board.listen(for: 60)))
    let frames = all.filter { $0[3] == 0x07 }
    #expect(frames.count == board.receiver.epochs)
    #expect(frames.allSatisfy { $0[2] == 0x01 && $0.count == 100 })
    let skies = all.filter { $0[3] == 0x35 }
    #expect(frames.count + skies.count == all.count)
    #expect(skies.allSatisfy { $0.count == 16 + 12 * Int($0[6 + 5]) })
    let searching = frames.count { $0[6 + 20] == 0 } + 1
    #expect(skies.count == searching + (frames.count - searching) / 5)
    // The receiver's clock runs even without a known time.
    let clocks = frames.prefix(20).map { $0[6...9].reversed().reduce(0) { $0 << 8 | Int($1) } }
    #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $1 != $0 })
    // Fix type 0 and invalid time at first, 3 and valid at the end.
    #expect(frames[0][6 + 20] == 0 && frames[0][6 + 11] == 0)
    #expect(frames[58][6 + 20] == 3 && frames[58][6 + 11] == 7)
  }

  @Test("a receiver acknowledges configuration only while powered")
  func configurationIsAcknowledgedOnlyWhilePowered() throws {
    // CFG-RATE, poll
    let poll: [UInt8] = [0xB5, 0x62, 0x06, 0x08, 0, 0, 0x0E, 0x30]
    let board = try board()
    try board.receiver.write(poll)
    #expect(try board.receiver.read(limit: 100).isEmpty)
    try board.powerSwitch.set(.supply, active: true)
    try board.receiver.write(poll + [1, 2, 3] + poll)
    let answers = try #require(frames(try board.receiver.read(limit: 1000)))
    #expect(answers.map { Array($0[2..<8]) } == Array(repeating: [5, 1, 2, 0, 6, 8], count: 2))
  }

  @Test("a reset starts a search, clears what its mask selects, and is not acknowledged")
  func reset() throws {
    let frames: [(StartKind, [UInt8])] = [
      (.cold, [0xB5, 0x62, 6, 4, 4, 0, 0xFF, 0xFF, 2, 0, 0x0E, 0x61]),
      (.warm, [0xB5, 0x62, 6, 4, 4, 0, 1, 0, 2, 0, 0x11, 0x6C]),
      (.hot, [0xB5, 0x62, 6, 4, 4, 0, 0, 0, 2, 0, 0x10, 0x68]),
    ]
    for (kind, frame) in frames {
      let board = try board()
      try board.powerSwitch.set(.supply, active: true)
      _ = try board.listen(for: 110)
      #expect(board.receiver.gnssState == .tracking)
      try board.receiver.write(frame)
      #expect(board.receiver.startKind == kind && board.receiver.gnssState == .acquiring)
      #expect(try board.receiver.read(limit: 1000).isEmpty)
      let first = try #require(self.frames(try board.listen(for: 1.7))?.first { $0[3] == 7 })
      #expect(first[6 + 20] == 0, "no fix in the first epoch")
      _ = try board.listen(for: 70)
      #expect(board.receiver.gnssState == .tracking)
    }
  }

  @Test("stopping and starting the GNSS part clears nothing") func stop() throws {
    let board = try board()
    try board.powerSwitch.set(.supply, active: true)
    _ = try board.listen(for: 60)
    for mode: UInt8 in [8, 9] {
      try board.receiver.write([0xB5, 0x62, 6, 4, 4, 0, 0, 0, mode, 0, 0, 0])
      #expect(board.receiver.gnssState == .tracking)
    }
  }
}
