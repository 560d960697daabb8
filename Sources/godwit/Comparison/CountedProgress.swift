import Core
import Platform

/// The number of completed runs, and the estimated remaining time.
final class CountedProgress {
  private let line = ProgressLine(label: "simulating")
  private let count: Int
  private let start = BootClock.now
  private var done = 0

  init(_ count: Int) {
    self.count = count
    show()
  }

  func next() {
    done += 1
    show()
  }

  func clear() { line.clear() }

  private func show() {
    var text = "\(done) of \(Counted.text(count, "run"))"
    if done > 0, done < count {
      let left = (BootClock.now - start) * (Double(count - done) / Double(done))
      text += ", about \(left.inWords) left"
    }
    line.show(text)
  }
}
