import Core
import Testing

@testable import Formats

@Suite struct HomeAssistantDeviceTests {
  private static func device() throws -> HomeAssistantDevice {
    let topics = try #require(HomeAssistantTopics(id: "godwit_a1b2", under: "godwit/a1b2"))
    return HomeAssistantDevice(topics, name: "Bike", version: "0.3")
  }

  @Test("a tracker with its sensors, byte for byte") func discovery() throws {
    var device = try Self.device()
    device.expiresAfter = 3600.2
    device.model = "Raspberry Pi Zero 2 W"
    device.sensors = [.gnss, .battery]
    #expect(
      String(decoding: device.discovery, as: UTF8.self)
        == #"{"dev":{"ids":["godwit_a1b2"],"name":"Bike","mf":"Godwit","#
        + #""mdl":"Raspberry Pi Zero 2 W","sw":"0.3"},"o":{"name":"godwit","sw":"0.3"},"qos":1,"#
        + #""cmps":{"position":{"p":"device_tracker","#
        + #""uniq_id":"godwit_a1b2_position","name":null,"#
        + #""json_attr_t":"godwit/a1b2/position","src_type":"gps"},"#
        + #""battery":{"p":"sensor","uniq_id":"godwit_a1b2_battery","#
        + #""name":"Battery","stat_t":"godwit/a1b2/state","#
        + #""val_tpl":"{{ value_json.battery_percent }}","dev_cla":"battery","#
        + #""unit_of_meas":"%","stat_cla":"measurement","exp_aft":3601},"#
        + #""gnss":{"p":"sensor","uniq_id":"godwit_a1b2_gnss","#
        + #""name":"GNSS","stat_t":"godwit/a1b2/state","val_tpl":"{{ value_json.gnss }}","#
        + #""dev_cla":"enum","ops":["off","acquiring","tracking","sleeping"],"exp_aft":3601}}}"#)
  }

  @Test("the state has a member for the template of every sensor, known or not")
  func templates() throws {
    let discovery = try JSONValue(parsing: try Self.device().discovery)
    let state = try JSONValue(parsing: HomeAssistantState().bytes)
    var ids: Set<String> = []
    guard case .object(let components) = try #require(discovery["cmps"]) else {
      Issue.record("no components")
      return
    }
    #expect(components.count == HomeAssistantSensor.allCases.count + 1)
    for (name, component) in components {
      let id = try #require(component["uniq_id"]?.string)
      #expect(ids.insert(id).inserted)
      guard name != "position" else { continue }
      let template = try #require(component["val_tpl"]?.string)
      let member = template.dropFirst("{{ value_json.".count).dropLast(" }}".count)
      #expect(state[String(member)] == .null, "\(member)")
    }
  }

  @Test(
    "an infinite interval does not make values expire", arguments: [Double.infinity, .nan, 1e300])
  func noEnd(_ seconds: Double) throws {
    var device = try Self.device()
    device.expiresAfter = Seconds(seconds)
    #expect(try JSONValue(parsing: device.discovery)["cmps"]?["visit"]?["exp_aft"] == nil)
  }
}
