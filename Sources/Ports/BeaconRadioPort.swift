import RadioSignals
import Core

/// A radio that receives Bluetooth beacons. When it is ready, or due, `next` has work.
public protocol BeaconRadioPort: EventPort {
  /// Replaces the regions to listen for; empty: the radio is not needed.
  func listen(for regions: [BeaconRegion])
  /// Whether every received advertisement is to be reported.
  func scan(_ isOn: Bool)
  /// Switches its supply off and on.
  func restart()
  /// The system's date was set: timers based on it are invalid.
  func dateWasSet()
  /// The next event; nil: none at present.
  /// - Throws: why it cannot listen, once; it retries by itself.
  func next() throws(PortError) -> BeaconRadioEvent?
  /// The number of items read from its descriptor, counted as in `EvidencePort`: many devices send
  /// a lot of data that results in no events.
  var readCount: Int { get }
  /// The method of listening; nil: it does not listen, or the method is not known yet.
  var method: BeaconMethod? { get }
  /// The total time with the receiver on.
  var listened: Seconds { get }
}

extension BeaconRadioPort {
  public var readCount: Int { 0 }
}

public enum BeaconMethod: String, Sendable {
  /// The Bluetooth service monitors the beacons, and reports when one appears or disappears.
  case monitors
  /// Every received advertisement is reported.
  case discovery
}
