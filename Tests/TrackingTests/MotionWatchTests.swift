import Core
import Testing

@testable import Tracking

@Suite struct MotionWatchTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// A sensor that has detected one journey's start.
  static func proven() -> MotionWatch {
    var watch = MotionWatch()
    for second in [100.0, 110, 120] { _ = watch.edge(at: at(second)) }
    watch.displaced(by: 500, since: at(90), afterRestSince: at(1))
    return watch
  }

  @Test("an undetected journey counts once, however often the board was located on it")
  func silentJourney() {
    var watch = Self.proven()
    #expect(watch.isTrusted)
    for second in stride(from: 5000.0, through: 5600, by: 60) {
      watch.displaced(by: 800, since: Self.at(second - 60), afterRestSince: Self.at(200))
    }
    #expect(!watch.isTrusted)
    #expect(watch.trust.contradictions == 1)
    watch.displaced(by: 800, since: Self.at(9000), afterRestSince: Self.at(8000))
    #expect(watch.trust.contradictions == 2)
  }

  @Test("a line that failed is not relied on until its next edge, and counts as not wrong")
  func lost() {
    var watch = Self.proven()
    watch.lost()
    #expect(!watch.isTrusted)
    #expect(watch.trust.contradictions == 0)
    _ = watch.edge(at: Self.at(300))
    #expect(watch.isTrusted)
    var new = MotionWatch()
    new.lost()
    let mayAsk = new.takeCredit()
    #expect(mayAsk, "it has its first looks yet")
  }

  @Test("after a restart its silence counts for as long as before")
  func restart() {
    var watch = MotionWatch()
    let saved = MotionWatch.fields.snapshot(of: Self.proven())
    watch = MotionWatch.fields.restored(saved, onto: watch) ?? watch
    watch.timePassed(at: Self.at(10))
    #expect(watch.isTrusted)
    watch.timePassed(at: Self.at(10 + 12 * 3600))
    #expect(!watch.isTrusted)
  }
}
