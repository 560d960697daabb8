import Notation
import Quantities

/// The board as a device of Home Assistant, found by itself over MQTT (device-based discovery,
/// www.home-assistant.io/integrations/mqtt#device-discovery-payload).
///
/// There is no availability: who sleeps is away nearly all the time. Values expire instead, after
/// the longest silence that is planned.
public struct HomeAssistantDevice: Hashable, Sendable {
  public struct Sensor: Hashable, Sendable {
    /// A part of its id: letters, digits, `_` and `-`.
    public var key: String
    public var name: String
    /// The member of the state message that holds its value.
    public var member: String
    public var deviceClass: String?
    public var unit: String?
    public var stateClass: String?

    public init(
      _ key: String, _ name: String, member: String, deviceClass: String? = nil,
      unit: String? = nil, stateClass: String? = nil
    ) {
      self.key = key
      self.name = name
      self.member = member
      self.deviceClass = deviceClass
      self.unit = unit
      self.stateClass = stateClass
    }
  }

  /// Letters, digits, `_` and `-`; the same as long as the device lives.
  public let id: String
  public var name: String
  public var model: String?
  public var version: String
  /// Under which position and state are published.
  public var topic: String
  public var sensors: [Sensor]
  /// Nil: values stay.
  public var expiresAfter: Seconds?

  /// Nil: that is no id.
  public init?(id: String, name: String, version: String, topic: String, sensors: [Sensor]) {
    guard Self.isID(id), sensors.allSatisfy({ Self.isID($0.key) }) else { return nil }
    self.id = id
    self.name = name
    self.version = version
    self.topic = topic
    self.sensors = sensors
  }

  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Where the discovery message goes, retained. An empty one there removes the device.
  public func discoveryTopic(prefix: String = "homeassistant") -> String {
    "\(prefix)/device/\(id)/config"
  }

  /// The newest position, retained.
  public var positionTopic: String { "\(topic)/position" }
  /// What the sensors show, retained.
  public var stateTopic: String { "\(topic)/state" }

  public var discovery: [UInt8] {
    var json = JSONWriter(reserving: 1024)
    json.object { json in
      json.object("device") { json in
        json.array("identifiers") { $0.string(id) }
        json.field("name", name)
        json.field("manufacturer", "Godwit")
        if let model { json.field("model", model) }
        json.field("sw_version", version)
      }
      json.object("origin") { json in
        json.field("name", "godwit")
        json.field("sw_version", version)
      }
      json.field("qos", 1)
      json.object("components") { json in
        json.object("position") { json in
          json.field("platform", "device_tracker")
          json.field("unique_id", "\(id)_position")
          // The device's name is the tracker's.
          json.field("name", JSONValue.null)
          json.field("json_attributes_topic", positionTopic)
          json.field("source_type", "gps")
        }
        for sensor in sensors { append(sensor, to: &json) }
      }
    }
    return json.bytes
  }

  private func append(_ sensor: Sensor, to json: inout JSONWriter) {
    json.key(dynamic: sensor.key)
    json.object { json in
      json.field("platform", "sensor")
      json.field("unique_id", "\(id)_\(sensor.key)")
      json.field("name", sensor.name)
      json.field("state_topic", stateTopic)
      json.field("value_template", "{{ value_json.\(sensor.member) }}")
      if let deviceClass = sensor.deviceClass { json.field("device_class", deviceClass) }
      if let unit = sensor.unit { json.field("unit_of_measurement", unit) }
      if let stateClass = sensor.stateClass { json.field("state_class", stateClass) }
      json.field("expire_after", ifKnown: expiresAfter.map { Int($0.value.rounded(.up)) })
    }
  }

  /// What the tracker shows. Home Assistant finds its zones by itself.
  public static func position(
    _ position: Coordinate, accuracy: Metres, altitude: Metres? = nil,
    speed: MetresPerSecond? = nil, course: Degrees? = nil, at time: UTCInstant
  ) -> [UInt8] {
    var json = JSONWriter(reserving: 160)
    json.object { json in
      json.field("latitude", position.latitude.value, digits: 7)
      json.field("longitude", position.longitude.value, digits: 7)
      // Without it, it would be 0.
      json.field("gps_accuracy", max(accuracy.value.rounded(), 1), digits: 0)
      json.field("altitude_m", ifKnown: altitude?.value, digits: 0)
      json.field("speed_mps", ifKnown: speed?.value, digits: 1)
      json.field("course_deg", ifKnown: course?.value, digits: 0)
      json.field("fix_time", time, digits: 0)
    }
    return json.bytes
  }
}
