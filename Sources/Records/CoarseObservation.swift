import Quantities

/// A cheap location: Wi-Fi, cell, or a stand-in. The paper's "significant location update" (SLU).
public struct CoarseObservation: Hashable, Sendable {
  public var received: BootInstant
  public var time: UTCInstant?
  /// Nil when the source answered without a place (nothing known in range).
  public var place: Coordinate?
  public var accuracy: Metres?
  /// The connected access point (BSSID), where there is one.
  public var accessPoint: String?
  /// Which source: "wifi", "cell", "geoclue", "virtual".
  public var source: String

  public init(
    received: BootInstant, time: UTCInstant?, place: Coordinate?, accuracy: Metres?,
    accessPoint: String? = nil, source: String
  ) {
    self.received = received
    self.time = time
    self.place = place
    self.accuracy = accuracy
    self.accessPoint = accessPoint
    self.source = source
  }
}
