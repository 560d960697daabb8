import Core
import GNSS
import Testing

/// A fix must not wait for the next second once the receiver's cycle is known.
@Suite struct CycleEndTests {
  typealias Sentences = EpochAssemblerTests

  static func second(_ time: String) -> String {
    Sentences.rmc(time) + Sentences.gga(time) + Sentences.gsa(3) + Sentences.gsa(3)
  }

  /// Feeds seconds one by one; returns the total number of fixes after each.
  static func counts(_ seconds: [String], flushing: Bool) -> [Int] {
    var decoder = ReceiverDecoder()
    var count = 0
    return seconds.map { second in
      decoder.feed(Array(second.utf8), at: .zero) { _ in count += 1 }
      if flushing { decoder.flush(at: .zero) { _ in count += 1 } }
      return count
    }
  }

  @Test("the end of the cycle is learnt from two epochs") func isLearntFromTwoEpochs() {
    let seconds = (0..<6).map { Self.second("12000\($0)") }
    #expect(Self.counts(seconds, flushing: false) == [0, 1, 3, 4, 5, 6])
  }

  @Test("silence ends an epoch at once") func silenceEndsAnEpochAtOnce() {
    let seconds = (0..<4).map { Self.second("12000\($0)") }
    #expect(Self.counts(seconds, flushing: true) == [1, 2, 3, 4])
  }

  /// GSV and VTG before the timed sentences: only silence shows that they begin the cycle.
  @Test("silence shows where the cycle begins") func silenceTeachesWhereTheCycleBegins() {
    var decoder = ReceiverDecoder()
    var fixes: [Fix] = []
    for second in 0..<6 {
      let time = "12000\(second)"
      let text =
        Sentences.gsv("GP", inView: second) + Sentences.rmc(time) + Sentences.gga(time)
      decoder.feed(Array(text.utf8), at: .zero) { fixes.append($0) }
      if second < 2 { decoder.flush(at: .zero) { fixes.append($0) } }
    }
    #expect(fixes.map(\.satellitesInView) == [0, 1, 2, 3, 4, 5])
  }

  @Test("a changed order of sentences is learnt anew") func aChangedHabitIsLearntAnew() {
    var seconds = (0..<4).map { Self.second("12000\($0)") }
    seconds += (4..<9).map { Self.second("12000\($0)") + Sentences.gga("12000\($0)", talker: "GN") }
    // One late fix, two epochs for learning, then at once again.
    let counts = Self.counts(seconds, flushing: false)
    #expect(counts.last == 9)
    #expect(counts[3] == 4)
  }

  @Test("a fix has the reception time of the last bytes of its epoch")
  func theStampIsTheLastBytes() throws {
    var decoder = ReceiverDecoder()
    var fixes: [Fix] = []
    let at = { BootInstant(nanoseconds: $0 * 1_000_000) }
    decoder.feed(Array(Sentences.rmc("120000").utf8), at: at(10)) { fixes.append($0) }
    decoder.feed(Array(Sentences.gga("120000").utf8), at: at(30)) { fixes.append($0) }
    decoder.feed(Array(Sentences.rmc("120001").utf8), at: at(1010)) { fixes.append($0) }
    #expect(fixes.map(\.received) == [at(30)])
  }
}
