/// The recipients of the board's records, with their formats.
public enum Recipient: String, CaseIterable, Sendable {
  /// OwnTracks' apps, its Recorder and other readers of its messages, through a broker.
  case owntracks
  /// Home Assistant, through a broker.
  case homeAssistant = "home_assistant"
  /// `godwit collect`, through a broker: everything, with end-to-end acknowledgement.
  case collector
  /// Other people's boards, through a broker: peer messages, groups and meetings, which wait in the
  /// store until they are sent.
  case people
  /// Receivers of OwnTracks' messages as web requests.
  case owntracksHTTP = "owntracks_http"
  /// Traccar and others, by the OsmAnd protocol.
  case osmand
  /// Receivers of Overland's batches.
  case overland

  public enum Transport: Sendable { case broker, web }

  public var transport: Transport {
    switch self {
    case .owntracks, .homeAssistant, .collector, .people: .broker
    case .owntracksHTTP, .osmand, .overland: .web
    }
  }
}
