import RadioSignals
import Core

/// A radio that hears Bluetooth beacons. When it is ready, or due, `next` has work.
public protocol BeaconRadioPort: EventPort {
  /// What it is to listen for, instead of what it was before; empty: it is not needed.
  func listen(for regions: [BeaconRegion])
  /// Whether it is to tell every advertisement that it hears.
  func scan(_ isOn: Bool)
  /// Switches its power off and on.
  func restart()
  /// The system's date has been set: what was timed by it is void.
  func dateWasSet()
  /// The next that it has to tell; nil: nothing more for now.
  /// - Throws: why it cannot listen, once; it tries again by itself.
  func next() throws(PortError) -> BeaconRadioEvent?
  /// How many things it has taken from its descriptor, as `EvidencePort` counts them: a crowd of
  /// devices tells a lot that is no news.
  var taken: Int { get }
  /// How it listens, in a word; nil: it does not, or it is not known yet.
  var method: BeaconMethod? { get }
  /// How long its receiver was on, in all.
  var listened: Seconds { get }
}

extension BeaconRadioPort {
  public var taken: Int { 0 }
}

public enum BeaconMethod: String, Sendable {
  /// Bluetooth's own service watches for the beacons, and tells when one comes and goes.
  case monitors
  /// It tells everything that it hears.
  case discovery
}
