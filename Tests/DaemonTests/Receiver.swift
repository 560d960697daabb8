import Core
import ReceiverStandIns

/// Output of a receiver at rest, second by second, on 1 March 2026.
struct Epochs: Sequence, IteratorProtocol {
  var second: Int
  /// Receiver time between two epochs in seconds; more than real time lets an hour pass in seconds.
  var step = 1
  var hasFix = true

  init(from second: Int = 36_000, step: Int = 1, hasFix: Bool = true) {
    self.second = second
    self.step = step
    self.hasFix = hasFix
  }

  mutating func next() -> [UInt8]? {
    defer { second += step }
    let parts = [second / 3600 % 24, second / 60 % 60, second % 60]
    let time = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    let day = 1 + second / 86_400
    let date = (day < 10 ? "0\(day)" : "\(day)") + "0326"
    return hasFix
      ? NMEAText.fix(time: time, date: date) : NMEAText.search(time: time, date: date)
  }
}

/// Limits how often the condition is evaluated, because the speaker checks it at every slice.
struct Seldom {
  private var count = 0

  mutating func ask(_ question: () -> Bool) -> Bool {
    count += 1
    return count % 5 == 0 ? question() : false
  }
}

extension LiveDaemon {
  /// Lets the receiver send in real time until the daemon's status meets the condition; stops after
  /// about `seconds`.
  func hears(
    _ line: Pseudoterminal, _ epochs: Epochs = Epochs(), baud: Int = 9600, period: Double = 1,
    for seconds: Double = 40, until isReached: (JSONValue) -> Bool
  ) -> Bool {
    var seldom = Seldom()
    var failure: (any Error)?
    let reached = Speaker(line, baud: baud).speak(
      epochs.prefix(Int(seconds / period)), period: period
    ) {
      seldom.ask {
        do {
          return isReached(try status())
        } catch {
          failure = error
          return false
        }
      }
    }
    if !reached, let failure { print("the daemon's status could not be had: \(failure)") }
    return reached
  }
}

extension JSONValue {
  var isTracking: Bool { self["gnss"]?.string == "tracking" }
  var accepted: Int { at("fixes.accepted")?.integer ?? 0 }
  var receiverFailure: String? { at("receiver.failure")?.string }
  var storeFailure: String? { at("store.failure")?.string }
}
