import Core

/// All data that the receiver reports about one moment, before it is encoded.
struct ReceiverEpoch {
  var time: UTCInstant
  var knowsTime: Bool
  /// Nil without a fix.
  var solution: Solution?
  var reception: ReceptionView
  /// Nil in the epochs without signals.
  var signals: [ReceivedSignal]?

  /// Degrees, metres and metres per second before encoding.
  struct Solution {
    var latitude: Double
    var longitude: Double
    /// Above mean sea level.
    var altitude: Double
    var speed: Double
    var track: Double
    /// The receiver's own estimate for each horizontal direction, one standard deviation.
    var sigma: Double
  }

  /// Height of the geoid above the ellipsoid; one figure everywhere, because simple receivers have
  /// only a coarse table of it.
  static let geoidSeparation = 40.0
}
