import Testing

@testable import Hardware

/// The names come from drivers of Linux 6.12 (drivers/iio/accel, drivers/iio/imu).
@Suite struct AccelerometerEventTests {
  @Test("each driver's best motion event is found, with its switches and thresholds")
  func driversAreUnderstood() throws {
    let kinds = ["x", "y", "z"]
    let bmc150 = kinds.flatMap { axis in
      ["en", "value", "period"].map { "in_accel_\(axis)_roc_either_\($0)" }
    }
    let slope = try #require(AccelerometerEvent(files: bmc150))
    #expect(slope.kind == "roc" && slope.switches == kinds.map { "in_accel_\($0)_roc_either_en" })
    #expect(slope.values == kinds.map { "in_accel_\($0)_roc_either_value" })
    // mma8452.c: free fall on all axes at once, and an event after its high-pass filter.
    let transient = try #require(
      AccelerometerEvent(files: [
        "in_accel_x&y&z_mag_falling_en", "in_accel_mag_falling_value", "in_accel_x_mag_rising_en",
        "in_accel_mag_rising_value", "in_accel_scale",
      ]))
    #expect(transient.kind == "mag" && transient.switches == ["in_accel_x_mag_rising_en"])
    #expect(transient.values == ["in_accel_mag_rising_value"])
    // adxl367.c: one switch for any axis.
    let any = AccelerometerEvent(files: [
      "in_accel_x|y|z_mag_referenced_rising_en", "in_accel_x|y|z_mag_referenced_rising_value",
      "in_accel_x|y|z_mag_referenced_falling_en",
    ])
    #expect(any?.switches == ["in_accel_x|y|z_mag_referenced_rising_en"])
  }

  @Test("an event without gravity precedes a plain threshold")
  func gravityComesLast() {
    let files = AccelerometerEvent.kinds.map { "in_accel_x_\($0)_rising_en" }
    for count in 1...files.count {
      #expect(
        AccelerometerEvent(files: Array(files.suffix(count)))?.kind
          == AccelerometerEvent.kinds[files.count - count])
    }
  }

  @Test(
    "an event not caused by motion is ignored",
    arguments: [
      [], ["in_voltage0_thresh_rising_en"], ["in_accel_x_thresh_falling_en"],
      ["in_accel_x&y&z_mag_rising_en"], ["in_accel_x_gesture_singletap_en"],
      ["in_accel_x_roc_rising_value"], ["in_accel_../../roc_rising_en", "in_accel"],
    ])
  func othersAreNone(files: [String]) {
    #expect(AccelerometerEvent(files: files) == nil)
  }

  @Test("a folder of thousands of names is limited") func manyNamesAreBounded() {
    let files = (0..<10_000).map {
      "in_accel_" + String(repeating: "x", count: $0 % 50) + "_roc_rising_en"
    }
    #expect(AccelerometerEvent(files: files)?.switches.count ?? 0 <= AccelerometerEvent.maxFiles)
  }
}
