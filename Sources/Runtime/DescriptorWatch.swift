import Quantities

/// A descriptor that the loop watches as long as something comes of it.
///
/// The loop is level-triggered: a descriptor that stays ready and gives nothing (a driver that
/// reports an error which no read clears) would keep it busy for ever. After many wakes in a row
/// without anything it is left alone for a while, longer each time, until something comes again.
final class DescriptorWatch {
  static let firstRest = Seconds(1)
  static let longestRest = Seconds(60)

  private var source: EventSource?
  private var timer: EventSource?
  private let mostFruitless: Int
  private var fruitless = 0
  private var rest = DescriptorWatch.firstRest
  private var isPaused = false
  private var isResting = false { didSet { update() } }

  /// - Parameters:
  ///   - mostFruitless: wakes in a row.
  ///   - stuck: called when it is left alone for the first time.
  ///   - handler: deals with what is there; says whether anything was.
  init(
    _ descriptor: Int32, on loop: EventLoop, mostFruitless: Int, stuck: @escaping () -> Void,
    handler: @escaping () -> Bool
  ) throws(EventLoopError) {
    self.mostFruitless = mostFruitless
    timer = try loop.timer { [weak self] in self?.isResting = false }
    source = try loop.watch(descriptor) { [weak self] in
      let isFruitful = handler()
      // The handler may have ended this watch.
      self?.took(isFruitful, stuck: stuck)
    }
  }

  /// Leaves the descriptor unwatched, or watches it again.
  func pause(_ isPaused: Bool) {
    self.isPaused = isPaused
    update()
  }

  private func update() { source?.pause(isPaused || isResting) }

  private func took(_ isFruitful: Bool, stuck: () -> Void) {
    guard !isFruitful else {
      fruitless = 0
      rest = Self.firstRest
      return
    }
    fruitless += 1
    guard fruitless >= mostFruitless else { return }
    isResting = true
    timer?.set(at: BootClock.now + rest)
    rest = min(rest * 2, Self.longestRest)
    if fruitless == mostFruitless { stuck() }
  }
}
