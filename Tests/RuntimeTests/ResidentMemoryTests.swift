import CShims
import Platform
import Core
import Testing

@testable import Runtime

@Suite struct ResidentMemoryTests {
  /// The lines of /proc/self/smaps on the mapping that contains an address (proc(5)).
  private func mapping(at address: UInt, in smaps: String) -> [Substring] {
    var lines: [Substring] = []
    for line in smaps.split(separator: "\n") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
      if ends.count == 2, let start = ends[0], let end = ends[1] {
        if !lines.isEmpty { break }
        if !(start..<end).contains(address) { continue }
      } else if lines.isEmpty {
        continue
      }
      lines.append(line)
    }
    return lines
  }

  @Test("only unchanged pages of files are given back")
  func onlyUnchangedPagesAreGivenBack() throws {
    var ranges: [Range<UInt>] = []
    withUnsafeMutablePointer(to: &ranges) { ranges in
      godwit_each_unchanged(
        { ranges, start, length in
          let start = UInt(bitPattern: start)
          ranges?.assumingMemoryBound(to: [Range<UInt>].self).pointee
            .append(start..<start + UInt(length))
        }, ranges)
    }
    // The program's own ranges, and at least those of the C library and the loader.
    #expect(ranges.count >= 6)
    let bytes = try SystemFiles.bytes(of: "/proc/self/smaps", atMost: 1 << 24)
    let smaps = String(decoding: bytes, as: UTF8.self)
    for range in ranges {
      for address in [range.lowerBound, range.upperBound - 1] {
        let lines = mapping(at: address, in: smaps)
        let words = try #require(lines.first).split(separator: " ")
        #expect(["r--p", "r-xp"].contains(words[1]), "\(words)")
        #expect(words.last?.first == "/", "\(words)")
        let changed = lines.first { $0.hasPrefix("Anonymous:") }?.split(separator: " ")
        #expect(changed == ["Anonymous:", "0", "kB"], "\(words)")
      }
    }
  }

  @Test("memory is given back before a rest, at most once a minute, and every ten minutes")
  func memoryIsGivenBackBeforeARest() {
    let start = BootInstant(nanoseconds: 0)
    var memory = ResidentMemory(since: start)
    // The time, when the next step is due, and whether memory is given back.
    let turns: [(at: Seconds, next: Seconds?, isGivenBack: Bool)] = [
      (59, nil, false), (60, 79, false), (60, 80, true), (119, 600, false), (120, nil, true),
      // A receiver that is always on.
      (719, 720, false), (720, 721, true),
    ]
    for turn in turns {
      let isGivenBack = memory.giveBack(before: turn.next.map { start + $0 }, at: start + turn.at)
      #expect(isGivenBack == turn.isGivenBack, "after \(turn.at)")
    }
  }

  @Test("a process that has given nothing back yet does so before its first rest")
  func theFirstRestIsEnough() {
    let start = BootInstant(nanoseconds: 0)
    var memory = ResidentMemory(every: 30)
    let turns: [(at: Seconds, next: Seconds?, isGivenBack: Bool)] = [
      (1, 2, false), (700, 701, false), (701, nil, true), (730, nil, false), (731, 800, true),
    ]
    for turn in turns {
      let isGivenBack = memory.giveBack(before: turn.next.map { start + $0 }, at: start + turn.at)
      #expect(isGivenBack == turn.isGivenBack, "after \(turn.at)")
    }
  }

  @Test("the program goes on after its memory is given back") func theProgramGoesOnAfterwards() {
    let kept = (0..<1000).map(String.init)
    ResidentMemory.giveBack()
    #expect(kept.joined().count == 2890)
  }
}
