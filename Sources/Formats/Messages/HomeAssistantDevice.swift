import Core

/// The board as a device of Home Assistant, found by itself over MQTT (device-based discovery,
/// www.home-assistant.io/integrations/mqtt#device-discovery-payload), in its short words.
///
/// There is no availability: who sleeps is away nearly all the time. Values expire instead, after
/// the longest silence that is planned.
public struct HomeAssistantDevice: Hashable, Sendable {
  public let topics: HomeAssistantTopics
  public var name: String
  public var model: String?
  /// Of Godwit.
  public var version: String
  /// What this board can tell; another one is not announced, though its member is in the state.
  public var sensors: [HomeAssistantSensor] = HomeAssistantSensor.allCases
  /// Nil: values stay.
  public var expiresAfter: Seconds?

  public init(_ topics: HomeAssistantTopics, name: String, version: String) {
    self.topics = topics
    self.name = name
    self.version = version
  }

  /// To be published again whenever Home Assistant says on `homeassistant/status` that it is
  /// there.
  public var discovery: [UInt8] {
    var json = JSONWriter(reserving: 2048)
    json.object { json in
      json.object("dev") { json in
        json.array("ids") { $0.string(topics.id) }
        json.field("name", name)
        json.field("mf", "Godwit")
        if let model { json.field("mdl", model) }
        json.field("sw", version)
      }
      json.object("o") { json in
        json.field("name", "godwit")
        json.field("sw", version)
      }
      json.field("qos", 1)
      json.object("cmps") { json in
        appendTracker(to: &json)
        // An end that is no number is none.
        let seconds = expiresAfter.flatMap { Int(exactly: max($0.value, 1).rounded(.up)) }
        for sensor in HomeAssistantSensor.allCases where sensors.contains(sensor) {
          sensor.append(of: topics, expiresAfter: seconds, to: &json)
        }
      }
    }
    return json.bytes
  }

  private func appendTracker(to json: inout JSONWriter) {
    json.object("position") { json in
      json.field("p", "device_tracker")
      json.field("uniq_id", "\(topics.id)_position")
      // The device's name is the tracker's.
      json.field("name", JSONValue.null)
      json.field("json_attr_t", topics.position)
      json.field("src_type", "gps")
    }
  }
}
