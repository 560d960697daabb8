/// Who gets the board's records, and in which form.
public enum Recipient: String, CaseIterable, Sendable {
  /// OwnTracks' apps, its Recorder and what else reads its messages, through a broker.
  case owntracks
  /// Home Assistant, through a broker.
  case homeAssistant = "home_assistant"
  /// `godwit collect`, through a broker: everything, and acknowledged from end to end.
  case collector
  /// Other people's boards, through a broker: letters, groups and meetings, which wait in the store
  /// until they are sent.
  case people
  /// What takes OwnTracks' messages as web requests.
  case owntracksHTTP = "owntracks_http"
  /// Traccar and others, by the OsmAnd protocol.
  case osmand
  /// What takes Overland's batches.
  case overland

  public enum Transport: Sendable { case broker, web }

  public var transport: Transport {
    switch self {
    case .owntracks, .homeAssistant, .collector, .people: .broker
    case .owntracksHTTP, .osmand, .overland: .web
    }
  }
}
