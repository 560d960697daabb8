import Records
import Core

/// The minimum prices of fixes, beyond the low-power mode that is always in use.
struct FixPrices {
  /// The lowest power of a low-power mode.
  let resting: Watts
  let interval: Seconds
  /// The minimum duration of a search, in seconds under open sky.
  let minSearch: Seconds
  /// The price of one more epoch for a receiver that stays on. The value of an ephemeris renewal is
  /// subtracted: half a minute of tracking renews it, and `EphemerisRenewals` charges that.
  private(set) var staying: Joules
  /// The additional price of the very first search over a hot one.
  let firstSearch: Joules
  let ephemerisLife: Seconds

  private let acquiring: Watts
  private let tracking: Watts
  private let settings: VirtualReceiverSettings

  init(_ settings: VirtualReceiverSettings) {
    let model = settings.model
    self.settings = settings
    resting = min(model.off, model.sleeping) * model.supply
    acquiring = max(0, model.acquiring * model.supply - resting)
    tracking = max(0, model.tracking * model.supply - resting)
    interval = settings.interval
    ephemerisLife = settings.ephemerisLife
    minSearch =
      min(model.hotStart, model.warmStart, model.coldStart) * ReceiverEnergyModel.luckiestSearch
    firstSearch = Self.extra(
      model.coldStart * ReceiverEnergyModel.luckiestSearch - minSearch, interval,
      power: acquiring)
    staying = 0
    let renewal = self.renewal(after: ephemerisLife) * (interval / ReceiverMemory.frame)
    staying = max(0, min(acquiring, tracking) * interval - renewal)
  }

  /// The price of a search of that many epochs, the last one with a fix, and its answer. A receiver
  /// that searches again without having been switched off has one epoch instead of the start.
  func search(epochs: Int) -> Joules {
    let least = min(acquiring, tracking)
    let start = acquiring * settings.bootDelay + least * settings.latency
    return min(start, least * interval) + acquiring * (interval * Double(epochs - 1))
  }

  /// The additional price of a warm start over a hot one, or of tracking with the same effect.
  /// - Parameter age: the minimum age of the ephemeris; that of all satellites was known.
  func renewal(after age: Seconds) -> Joules {
    let model = settings.model
    let fresh = ReceiverMemory.receptionChangesAfter
    let turned = ephemerisLife > fresh ? (age - fresh) / (ephemerisLife - fresh) : 1
    let known = 1 - max(0, min(1, turned))
    let warm =
      model.warmStart - max(0, model.warmStart - model.hotStart)
      * (known * ReceiverEnergyModel.savedByKnowing)
    let extra = Self.extra(
      warm * ReceiverEnergyModel.luckiestSearch - minSearch, interval, power: acquiring)
    return min(extra, min(acquiring, tracking) * ReceiverMemory.frame)
  }

  /// The minimum price of the additional time of a search, whatever the reception.
  private static func extra(_ time: Seconds, _ interval: Seconds, power: Watts) -> Joules {
    power * (interval * max(0, (time / interval).rounded(.up) - 1))
  }
}

/// The minimum number of ephemeris renewals.
///
/// Take moments at which a fix is certain, each later than the one before by the life of an
/// ephemeris, by `spacing`, and by a minute, because a receiver that stays on may use what it knew
/// when it was switched on; after half a minute that has cost as much as a renewal. Then each of
/// these fixes needs a renewal of its own, at least `spacing` after the one before it; and several
/// in between cost more than one. The first is the cold start. The spacing with the highest bound
/// is used.
struct EphemerisRenewals {
  private let prices: FixPrices
  private var chains: [Chain]

  private struct Chain {
    let spacing: Seconds
    var count = 0
    var last: UTCInstant?
  }

  init(_ prices: FixPrices) {
    self.prices = prices
    chains = (0...8).map { Chain(spacing: prices.ephemerisLife * (Double($0) / 8)) }
  }

  /// There is a fix in that time. Called in the order of time.
  mutating func need(from first: UTCInstant, through last: UTCInstant) {
    for index in chains.indices {
      let pause = prices.ephemerisLife + chains[index].spacing + 60
      if let before = chains[index].last, first < before + pause { continue }
      chains[index].count += 1
      chains[index].last = last
    }
  }

  var energy: Joules {
    chains.reduce(Joules(0)) { highest, chain in
      guard chain.count > 0 else { return highest }
      let renewals = prices.renewal(after: chain.spacing) * Double(chain.count - 1)
      return max(highest, prices.firstSearch + renewals)
    }
  }
}
