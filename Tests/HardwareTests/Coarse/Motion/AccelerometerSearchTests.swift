import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// Tests that need no chip; the kernel laboratory covers the rest.
@Suite struct AccelerometerSearchTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func device(_ number: Int, _ name: String, events: [String] = []) throws {
    let path = "bus/iio/devices/iio:device\(number)/"
    try folder.write(name + "\n", to: path + "name")
    for event in events { try folder.write("0\n", to: path + "events/" + event) }
  }

  private func search(_ name: String) throws -> AccelerometerSearch {
    var settings = MotionSettings()
    settings.accelerometer = name
    return try #require(
      AccelerometerSearch(settings, devices: folder.path, system: folder.path))
  }

  private func refusal(_ name: String) throws -> String? {
    let search = try search(name)
    return thrown(PortError.self) { _ = try search.find() }?.message
  }

  @Test("\"auto\" selects the first that detects motion, in the order of the kernel's numbers")
  func theFirstThatCan() throws {
    try device(0, "ads1015", events: ["in_voltage0_thresh_rising_en"])
    try device(10, "mma8451", events: ["in_accel_x_mag_rising_en"])
    try device(2, "bma255", events: ["in_accel_x_roc_either_en"])
    #expect(try search("auto").find().node == "iio:device2")
    #expect(try search("mma8451").find().node == "iio:device10")
  }

  @Test("a missing or unsuitable sensor is explained with those present") func whyNot() throws {
    #expect(try refusal("auto")?.contains("IIO devices: none") == true)
    try device(0, "lis2de12")
    let none = try refusal("auto")
    #expect(none?.contains("lis2de12 (iio:device0)") == true, "\(none ?? "")")
    let mute = try refusal("lis2de12")
    #expect(mute?.contains("has no event for movement") == true, "\(mute ?? "")")
    let other = try refusal("bma255")
    #expect(other?.contains("no IIO device of that name; those here: lis2de12") == true)
  }

  @Test("the scale is that of the events, else that of the readings, and never nonsense")
  func theScaleIsFound() throws {
    try device(0, "mma8451", events: ["in_accel_x_mag_rising_en"])
    let path = "bus/iio/devices/iio:device0/"
    #expect(try search("auto").find().eventScale == nil)
    for nonsense in ["nan", "-1", "0", "inf", "", "9.8m"] {
      try folder.write(nonsense, to: path + "in_accel_scale")
      #expect(try search("auto").find().eventScale == nil, "\(nonsense)")
    }
    try folder.write("0.009577\n", to: path + "in_accel_scale")
    #expect(try search("auto").find().eventScale == 0.009577)
    try folder.write("0.617742\n", to: path + "events/in_accel_scale")
    #expect(try search("auto").find().eventScale == 0.617742)
  }

  @Test("a device that cannot be opened is reported and retried") func aMissingNodeIsTold() throws {
    try device(0, "bma255", events: ["in_accel_x_roc_either_en"])
    var settings = MotionSettings()
    settings.accelerometer = "auto"
    let sensor = try #require(
      MotionSensor(settings, devices: folder.path, system: folder.path))
    let error = thrown(PortError.self) { _ = try sensor.poll() }
    #expect(error?.message.contains("iio:device0 cannot be opened") == true, "\(error as Any)")
    #expect(sensor.interest == nil && sensor.due != nil)
  }

  @Test("the doctor's check switches nothing") func theCheckOnlyLooks() throws {
    var settings = MotionSettings()
    #expect(AccelerometerCheck(settings, devices: folder.path, system: folder.path) == nil)
    settings.accelerometer = "auto"
    settings.wakesBoard = true
    try device(0, "bma255", events: ["in_accel_x_roc_either_en", "in_accel_x_roc_either_value"])
    try folder.write("", to: "iio:device0")
    let check = AccelerometerCheck(settings, devices: folder.path, system: folder.path)
    #expect(check?.problem == nil && check?.text.contains("roc events, threshold 0") == true)
    // Neither its scale nor power/wakeup exists.
    #expect(check?.warnings.count == 2)
    #expect(
      try folder.text("bus/iio/devices/iio:device0/events/in_accel_x_roc_either_en") == "0\n")
  }
}
