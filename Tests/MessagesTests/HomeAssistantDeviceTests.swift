import Notation
import Quantities
import Testing

@testable import Messages

@Suite struct HomeAssistantDeviceTests {
  private static func device(_ id: String = "godwit_a1b2") -> HomeAssistantDevice? {
    HomeAssistantDevice(
      id: id, name: "Bike", version: "0.3", topic: "godwit/a1b2",
      sensors: [
        HomeAssistantDevice.Sensor(
          "battery", "Battery", member: "battery_percent", deviceClass: "battery", unit: "%",
          stateClass: "measurement")
      ])
  }

  @Test("a tracker with its sensors, byte for byte") func discovery() throws {
    var device = try #require(Self.device())
    device.expiresAfter = 3600.2
    #expect(device.discoveryTopic() == "homeassistant/device/godwit_a1b2/config")
    #expect(device.positionTopic == "godwit/a1b2/position")
    #expect(
      String(decoding: device.discovery, as: UTF8.self)
        == #"{"device":{"identifiers":["godwit_a1b2"],"name":"Bike","manufacturer":"Godwit","#
        + #""sw_version":"0.3"},"origin":{"name":"godwit","sw_version":"0.3"},"qos":1,"#
        + #""components":{"position":{"platform":"device_tracker","#
        + #""unique_id":"godwit_a1b2_position","name":null,"#
        + #""json_attributes_topic":"godwit/a1b2/position","source_type":"gps"},"#
        + #""battery":{"platform":"sensor","unique_id":"godwit_a1b2_battery","#
        + #""name":"Battery","state_topic":"godwit/a1b2/state","#
        + #""value_template":"{{ value_json.battery_percent }}","device_class":"battery","#
        + #""unit_of_measurement":"%","state_class":"measurement","expire_after":3601}}}"#)
  }

  @Test("an id has letters, digits, _ and -", arguments: ["", "a b", "a/b", "é", "a+", "#"])
  func ids(_ id: String) { #expect(Self.device(id) == nil) }

  @Test("a position always has its accuracy, and none of Home Assistant's own names")
  func position() throws {
    let bytes = HomeAssistantDevice.position(
      Coordinate(latitude: 51.05434219, longitude: 3.7), accuracy: 0.2, speed: 3,
      at: UTCInstant(seconds: 1_764_072_000))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"latitude":51.0543422,"longitude":3.7000000,"gps_accuracy":1,"speed_mps":3.0,"#
        + #""fix_time":"2025-11-25T12:00:00Z"}"#)
  }
}
