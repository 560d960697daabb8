import Core
import Testing

/// Times in sentences.
@Suite struct WordsTests {
  @Test(
    "a duration is shown with its units, no finer than it matters",
    arguments: [
      (0, "0 s"), (52.4, "52 s"), (119, "119 s"), (120, "2 min"), (3599, "1 h 00 min"),
      (7500, "2 h 05 min"), (172_740, "47 h 59 min"), (360_000, "4 d 4 h"), (-5, "0 s"),
      (Seconds(.nan), "0 s"), (Seconds(.infinity), "11574074 d 2 h"),
    ] as [(Seconds, String)])
  func times(time: Seconds, words: String) { #expect(time.inWords == words) }
}
