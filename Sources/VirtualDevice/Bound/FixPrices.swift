import Records
import Core

/// What fixes cost at least, beyond the low-power mode that goes on all the time.
struct FixPrices {
  /// The low-power mode that draws least.
  let resting: Watts
  let interval: Seconds
  /// Of seconds under open sky that a search takes at least.
  let minSearch: Seconds
  /// One epoch more, for a receiver that stays on. What a renewal of the ephemeris is worth is
  /// taken off: half a minute of tracking renews it, and `EphemerisRenewals` charges that.
  private(set) var staying: Joules
  /// What the very first search takes beyond a hot one.
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

  /// A search of so many epochs, the last one with a fix, and its answer. A receiver that searches
  /// anew without having been switched off has one epoch instead of the start.
  func search(epochs: Int) -> Joules {
    let least = min(acquiring, tracking)
    let start = acquiring * settings.bootDelay + least * settings.latency
    return min(start, least * interval) + acquiring * (interval * Double(epochs - 1))
  }

  /// What a warm start takes beyond a hot one, or the tracking that does the same.
  /// - Parameter age: of the ephemeris, at least; all satellites' was known.
  func renewal(after age: Seconds) -> Joules {
    let model = settings.model
    let fresh = ReceiverMemory.skyTurnsAfter
    let turned = ephemerisLife > fresh ? (age - fresh) / (ephemerisLife - fresh) : 1
    let known = 1 - max(0, min(1, turned))
    let warm =
      model.warmStart - max(0, model.warmStart - model.hotStart)
      * (known * ReceiverEnergyModel.savedByKnowing)
    let extra = Self.extra(
      warm * ReceiverEnergyModel.luckiestSearch - minSearch, interval, power: acquiring)
    return min(extra, min(acquiring, tracking) * ReceiverMemory.frame)
  }

  /// The epochs that so much longer a search takes at least, under whatever sky.
  private static func extra(_ time: Seconds, _ interval: Seconds, power: Watts) -> Joules {
    power * (interval * max(0, (time / interval).rounded(.up) - 1))
  }
}

/// How often the ephemeris has to be renewed at least.
///
/// Take moments at which a fix is certain, each later than the one before by the life of an
/// ephemeris, by `spacing`, and by a minute, because a receiver that stays on may live on what it
/// knew when it was switched on; after half a minute that has cost as much as a renewal. Then each
/// of these fixes needs a renewal of its own, at least `spacing` after the one before it; and
/// several in between cost more than one. The first is the cold start. Which spacing gives the
/// highest bound is tried out.
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

  /// There is a fix in that time. Told in the order of time.
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
