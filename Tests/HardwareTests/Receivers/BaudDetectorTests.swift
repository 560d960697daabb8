import Core
import Testing

@testable import Hardware

@Suite struct BaudDetectorTests {
  /// A receiver that sends `sentences` of 60 bytes every `period` at `speed`. A line at another
  /// speed receives bytes in proportion to the bit times, none of them valid.
  struct Speaker {
    var speed: Int
    var period: Seconds = 1
    var sentences = 6

    func hear(at baud: Int) -> (bytes: Int, valid: Int) {
      let sent = sentences * 60
      if baud == speed { return (sent, sentences) }
      return (max(1, min(sent * 3, sent * baud / speed)), 0)
    }

    /// Seconds until the detector has settled.
    func timeToSettle(_ detector: inout BaudDetector, limit: Seconds) -> Seconds {
      var now = BootInstant.zero
      while !detector.isConfirmed && now - .zero < limit {
        let received = hear(at: detector.baud)
        _ = detector.received(bytes: received.bytes, validFrames: received.valid, at: now)
        now = now + period
      }
      return now - .zero
    }
  }

  @Test("every speed is found within 30 s", arguments: SerialSpeed.all) func findsEverySpeed(
    speed: Int
  ) {
    var detector = BaudDetector()
    let time = Speaker(speed: speed).timeToSettle(&detector, limit: 60)
    #expect(detector.baud == speed)
    #expect(detector.isConfirmed)
    #expect(time <= 30, "\(speed) baud took \(time)")
  }

  @Test(
    "a receiver that sends every ten seconds is found at every speed", arguments: SerialSpeed.all)
  func findsAReceiverThatSpeaksEveryTenSeconds(speed: Int) {
    var detector = BaudDetector()
    let time = Speaker(speed: speed, period: 10, sentences: 1).timeToSettle(&detector, limit: 3600)
    #expect(detector.baud == speed && detector.isConfirmed, "after \(time)")
  }

  @Test("last time's speed is tried first") func lastTimesSpeedIsTriedFirst() {
    var detector = BaudDetector(likely: 460_800)
    #expect(detector.baud == 460_800)
    let time = Speaker(speed: 460_800).timeToSettle(&detector, limit: 10)
    #expect(time <= 1)
    #expect(BaudDetector(likely: 1200).baud == 9600)
  }

  @Test("silence does not change the speed") func silenceChangesNothing() {
    var detector = BaudDetector()
    for hour in 0..<100 {
      let now = BootInstant.zero + .hours(Double(hour))
      let changed = detector.received(bytes: 0, validFrames: 0, at: now)
      #expect(!changed)
    }
    #expect(detector == BaudDetector())
  }

  @Test("one valid frame does not settle the speed") func oneValidFrameDoesNotSettle() {
    var detector = BaudDetector()
    var changed = [detector.received(bytes: 70, validFrames: 1, at: .zero)]
    changed.append(detector.received(bytes: 70, validFrames: 0, at: .zero + 2))
    #expect(!detector.isConfirmed)
    changed.append(detector.received(bytes: 70, validFrames: 0, at: .zero + 7))
    #expect(changed == [false, false, true])
    #expect(!detector.isConfirmed)
  }

  @Test("a receiver that lost its speed setting is found again")
  func aReceiverThatForgotItsSpeedIsFoundAgain() {
    var detector = BaudDetector(likely: 115_200)
    var speaker = Speaker(speed: 115_200)
    _ = speaker.timeToSettle(&detector, limit: 10)
    speaker.speed = 9600
    var now = BootInstant.zero + 100
    var seconds = 0
    while detector.isConfirmed && seconds < 600 {
      _ = detector.received(bytes: speaker.hear(at: 115_200).bytes, validFrames: 0, at: now)
      now = now + 1
      seconds += 1
    }
    #expect(seconds < 60)
    _ = speaker.timeToSettle(&detector, limit: 60)
    #expect(detector.baud == 9600)
  }

  @Test("rounds without success are counted") func hopelessRoundsAreCounted() {
    var detector = BaudDetector()
    for second in 0..<600 {
      _ = detector.received(bytes: 40, validFrames: 0, at: .zero + Seconds(Double(second)))
    }
    #expect(detector.rounds >= 3)
    #expect(!detector.isConfirmed)
  }
}
