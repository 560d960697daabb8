import Core

/// The board as a device of Home Assistant, with MQTT discovery (device-based discovery,
/// www.home-assistant.io/integrations/mqtt#device-discovery-payload), in its abbreviated keys.
///
/// There is no availability: a sleeping board is absent nearly all the time. Instead values expire
/// after the longest planned silence.
public struct HomeAssistantDevice: Hashable, Sendable {
  public let topics: HomeAssistantTopics
  var name: String
  var model: String?
  /// Godwit's version.
  var version: String
  /// The sensors of this board; others are not announced, though their members are in the state.
  var sensors: [HomeAssistantSensor] = HomeAssistantSensor.allCases
  /// Nil: values do not expire.
  var expiresAfter: Seconds?

  public init(_ topics: HomeAssistantTopics, name: String, version: String) {
    self.topics = topics
    self.name = name
    self.version = version
  }

  /// To be published again whenever Home Assistant announces its start on `homeassistant/status`.
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
        // An invalid expiry counts as none.
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
      // The tracker uses the device's name.
      json.field("name", JSONValue.null)
      json.field("json_attr_t", topics.position)
      json.field("src_type", "gps")
    }
  }
}
