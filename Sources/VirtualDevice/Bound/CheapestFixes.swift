import Core

/// The cheapest set of fixes that keeps the limits on one piece of the truth.
///
/// Dynamic programming over the epochs: the minimum cost of a schedule whose last fix is in epoch j
/// is the minimum over all epochs i from which a gap to j keeps the limits, plus the price of a
/// search that ends at j; or that of epoch j - 1 plus one more epoch with the receiver on. From
/// each i the later epochs are visited in order, with the cone of all velocities that have kept the
/// limit so far: a gap is allowed if the velocity to its end lies in the cone, and no later end is
/// tried once the cone is empty. A gap must not contain a whole window that needs a fix.
///
/// Before the first and after the last epoch there is a free fix at an arbitrary time and place: a
/// gap to it keeps the limit if any velocity does. A gap over the whole piece keeps the limit if a
/// velocity does from its first demanded epoch with twice the limit: the line is no farther than
/// the limit from there, and from every other. A receiver may already be on when the piece begins.
struct CheapestFixes {
  private let count: Int
  /// The epochs at which the trajectory has to be known.
  private let demands: [Bool]
  private let points: [SIMD2<Double>]
  private let limit: Double
  /// Nil for the clairvoyant schedule.
  private let reckoning: Reckoning?
  private let windows: [ClosedRange<Int>]
  /// For each epoch: the end of the first window that begins after it. A gap ends there at the
  /// latest.
  private let reach: [Int]
  /// The price of a search that ends in each epoch, in joules; infinity where none does.
  private let searches: [Double]
  private let staying: Double

  /// A search is traced back no farther: it costs at least that.
  private static let maxSearchEpochs = 120

  init(_ piece: TruthPiece, prices: FixPrices, limit: Metres, foresight: Foresight) {
    count = piece.samples.count
    points = piece.points
    self.limit = limit.value
    demands = Self.demands(piece.samples, points, apart: limit.value * Self.spacing)
    reckoning = foresight == .clairvoyant ? nil : Reckoning(points, limit: limit.value)
    windows = piece.windows(foresight)
    reach = Self.reach(windows, count: piece.samples.count)
    searches = piece.samples.indices.map { Self.search(endingAt: $0, piece.samples, prices) }
    staying = prices.staying.value
  }

  /// The minimum distance between demanded epochs, as a share of the limit, to have fewer of them.
  private static let spacing = 0.04

  private static func demands(
    _ samples: [TruthPiece.Sample], _ points: [SIMD2<Double>], apart: Double
  ) -> [Bool] {
    var last: SIMD2<Double>?
    return zip(samples, points).map { sample, point in
      guard sample.isDemanded else { return false }
      if let last {
        let way = point - last
        if (way * way).sum() < apart * apart { return false }
      }
      last = point
      return true
    }
  }

  private static func reach(_ windows: [ClosedRange<Int>], count: Int) -> [Int] {
    var reach = [Int](repeating: .max, count: count)
    var next = windows.count - 1
    var nearest = Int.max
    for index in stride(from: count - 1, through: 0, by: -1) {
      while next >= 0, windows[next].lowerBound > index {
        nearest = min(nearest, windows[next].upperBound)
        next -= 1
      }
      reach[index] = nearest
    }
    return reach
  }

  /// The shortest search whose progress with the reception of the preceding epochs is sufficient.
  /// Open sky is assumed before the piece.
  private static func search(
    endingAt index: Int, _ samples: [TruthPiece.Sample], _ prices: FixPrices
  ) -> Double {
    guard samples[index].progress > 0 else { return .infinity }
    var progress: Seconds = 0
    var epochs = 0
    while progress < prices.minSearch, epochs < maxSearchEpochs {
      progress += index >= epochs ? samples[index - epochs].progress : prices.interval
      epochs += 1
    }
    return prices.search(epochs: max(1, epochs)).value
  }

  var energy: Joules {
    guard count > 0, !needsNone else { return 0 }
    var waiting = fromBefore()
    var least = Double.infinity
    var spent = staying
    for index in 0..<count {
      spent = min(waiting[index] + searches[index], spent + (index > 0 ? staying : 0))
      guard spent < .infinity else { continue }
      let isLast = spread(spent, from: index, to: &waiting)
      if isLast { least = min(least, spent) }
    }
    return Joules(least)
  }

  /// Whether one line may be sufficient for the whole piece.
  private var needsNone: Bool {
    guard windows.isEmpty else { return false }
    guard let first = demands.firstIndex(of: true) else { return true }
    var cone = VelocityCone(limit: 2 * limit)
    for index in first + 1..<count where demands[index] {
      cone.narrow(to: points[index] - points[first], after: Double(index - first))
      if cone.isEmpty { return false }
    }
    return true
  }

  /// 0 for epochs that may be reached from the free fix before the piece, infinity elsewhere.
  private func fromBefore() -> [Double] {
    var waiting = [Double](repeating: .infinity, count: count)
    let last = windows.map(\.upperBound).min() ?? count - 1
    for end in 0...last where searches[end] < .infinity {
      guard mayReach(end, from: 0, seenFrom: end) else { continue }
      var cone = VelocityCone(limit: limit)
      var index = end - 1
      while index >= 0, !cone.isEmpty {
        if demands[index] {
          cone.narrow(to: points[index] - points[end], after: Double(index - end))
        }
        index -= 1
      }
      if !cone.isEmpty { waiting[end] = 0 }
    }
    return waiting
  }

  /// Propagates the cost to every epoch that may have the next fix.
  /// - Returns: whether the next fix may be after the piece.
  private func spread(_ spent: Double, from start: Int, to waiting: inout [Double]) -> Bool {
    let last = min(reach[start], count - 1)
    var index = start + 1
    while index <= last, waiting[index] <= spent { index += 1 }
    guard mayReach(index, from: start + 1, seenFrom: start) else { return false }
    var cone = VelocityCone(limit: limit)
    var guess = reckoning?.guess(from: start, points)
    index = start + 1
    while index <= last {
      let way = points[index] - points[start]
      let time = Double(index - start)
      let isDemanded = demands[index]
      if spent < waiting[index], cone.contains(way, after: time) { waiting[index] = spent }
      if isDemanded {
        cone.narrow(to: way, after: time)
        if cone.isEmpty { return false }
        guard guess?.holds(at: index, points) ?? true else { return false }
      }
      index += 1
    }
    return reach[start] == .max
  }

  /// Whether every sixteenth epoch leaves a velocity. This rules out most fixes early, because all
  /// epochs that they reach were reached at the same cost before.
  private func mayReach(_ end: Int, from first: Int, seenFrom fix: Int) -> Bool {
    var cone = VelocityCone(limit: limit)
    for index in stride(from: first, to: end, by: 16) where demands[index] {
      cone.narrow(to: points[index] - points[fix], after: Double(index - fix))
      if cone.isEmpty { return false }
    }
    return true
  }
}

/// The constant velocities that stay near a truth: an intersection of circles, each replaced by the
/// circumscribed regular polygon of 16 sides.
struct VelocityCone {
  private let limit: Double
  private var lowest = SIMD8<Double>(repeating: -.infinity)
  private var highest = SIMD8<Double>(repeating: .infinity)

  /// Half a turn in eight steps: cos and sin of multiples of 22.5°.
  private static let east = SIMD8(
    1, 0.923_879_532_511_286_7, 0.707_106_781_186_547_6, 0.382_683_432_365_089_8, 0,
    -0.382_683_432_365_089_8, -0.707_106_781_186_547_6, -0.923_879_532_511_286_7)
  private static let north = SIMD8(
    0, 0.382_683_432_365_089_8, 0.707_106_781_186_547_6, 0.923_879_532_511_286_7, 1,
    0.923_879_532_511_286_7, 0.707_106_781_186_547_6, 0.382_683_432_365_089_8)
  /// Metres: the tolerance for rounding.
  static let rounding = 1e-6

  /// - Parameter limit: metres.
  init(limit: Double) { self.limit = limit + Self.rounding }

  var isEmpty: Bool { Self.smallest(highest - lowest) < 0 }

  /// Whether one of the velocities leads there in that time.
  func contains(_ way: SIMD2<Double>, after time: Double) -> Bool {
    let velocity = Self.sides(way) * (1 / time)
    return Self.smallest(velocity - lowest) >= 0 && Self.smallest(highest - velocity) >= 0
  }

  /// Excludes velocities that are farther than the limit from the point at that time; negative
  /// times are in the past.
  mutating func narrow(to way: SIMD2<Double>, after time: Double) {
    let share = 1 / time
    let velocity = Self.sides(way) * share
    let radius = limit * share.magnitude
    let (low, high) = (velocity - radius, velocity + radius)
    lowest.replace(with: low, where: low .> lowest)
    highest.replace(with: high, where: high .< highest)
  }

  private static func smallest(_ sides: SIMD8<Double>) -> Double {
    let four = sides.lowHalf.replacing(
      with: sides.highHalf, where: sides.highHalf .< sides.lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return min(two.x, two.y)
  }

  private static func sides(_ way: SIMD2<Double>) -> SIMD8<Double> {
    east * way.x + north * way.y
  }
}

/// The position estimates of a schedule without foresight after a fix: straight on, as far as the
/// board has moved since; or no change. One of them has to be valid until the next fix.
private struct Reckoning {
  private let limit: Double
  /// The distance in metres until each epoch.
  private let mileage: [Double]
  /// The direction of the last step until each epoch, of length 1; before the first step that of
  /// the first.
  private let headings: [SIMD2<Double>]

  /// Metres: a shorter step has no direction.
  private static let minStep = 0.1

  init(_ points: [SIMD2<Double>], limit: Double) {
    self.limit = limit + VelocityCone.rounding
    var mileage = [0.0]
    var headings: [SIMD2<Double>?] = [nil]
    for (from, to) in zip(points, points.dropFirst()) {
      let step = to - from
      let length = (step * step).sum().squareRoot()
      mileage.append(mileage[mileage.count - 1] + length)
      headings.append(length > Self.minStep ? step / length : headings[headings.count - 1])
    }
    let first = headings.lazy.compactMap { $0 }.first ?? .zero
    self.mileage = mileage
    self.headings = headings.map { $0 ?? first }
  }

  /// The estimates after one fix.
  struct Guess {
    let reckoning: Reckoning
    let start: Int
    let place: SIMD2<Double>
    var isAhead = true
    var isThere = true

    mutating func holds(at index: Int, _ points: [SIMD2<Double>]) -> Bool {
      let way = reckoning.mileage[index] - reckoning.mileage[start]
      let moved = points[index] - place
      isAhead = isAhead && reckoning.allows(moved - reckoning.headings[start] * way)
      isThere = isThere && reckoning.allows(moved)
      return isAhead || isThere
    }
  }

  func guess(from start: Int, _ points: [SIMD2<Double>]) -> Guess {
    Guess(reckoning: self, start: start, place: points[start])
  }

  private func allows(_ error: SIMD2<Double>) -> Bool {
    (error * error).sum() <= limit * limit
  }
}
