import Records
import Ports
import TestSupport
import Testing

@testable import Hardware

/// Fuel gauges in the form of the kernel's drivers, and malformed ones.
@Suite struct BatteryGaugeTests {
  let tree: MadeTree

  init() throws { tree = try MadeTree() }

  func battery(_ files: [String: String], name: String = "BAT0") throws {
    for (file, text) in files.merging(["type": "Battery"], uniquingKeysWith: { a, _ in a }) {
      try tree.write(text + "\n", to: "class/power_supply/\(name)/\(file)")
    }
  }

  func gauge(_ device: String? = nil) -> BatteryGauge {
    BatteryGauge(device: device, root: tree.root)
  }

  @Test("a gauge reports the charge left relative to a new battery, in any unit")
  func levels() throws {
    let gauges: [([String: String], Double)] = [
      (["capacity": "63"], 0.63),
      (["charge_now": "1500000", "charge_full": "2000000"], 0.75),
      (["energy_now": "3700000", "energy_full": "7400000", "capacity": "60"], 0.5),
      // Worn: the full charge is four fifths of the design.
      (
        ["charge_now": "800000", "charge_full": "1600000", "charge_full_design": "2000000"],
        0.4
      ),
      (["charge_full": "1600000", "charge_full_design": "2000000", "capacity": "50"], 0.4),
      // Better than its design, and charged above the nominal full charge.
      (
        ["charge_now": "2300000", "charge_full": "2200000", "charge_full_design": "2000000"],
        1
      ),
    ]
    for (index, (files, level)) in gauges.enumerated() {
      try battery(files, name: "gauge\(index)")
      let reading = try gauge("gauge\(index)").read()
      #expect(abs(reading.level - level) < 1e-12)
      #expect(!reading.isSupplied)
    }
  }

  @Test(
    "a plugged-in board is supplied, whether the battery charges or not",
    arguments: [
      ("Charging", true), ("Full", true), ("Not charging", true), ("Discharging", false),
      ("Unknown", false), ("", false), ("charging\u{7}", false),
    ])
  func supplied(status: String, isSupplied: Bool) throws {
    try battery(["capacity": "80", "status": status])
    #expect(try gauge().read() == BatteryReading(level: 0.8, isSupplied: isSupplied))
  }

  @Test("invalid values are skipped in favour of valid ones")
  func nonsense() throws {
    for files in [
      ["charge_now": "-5", "charge_full": "2000000"], ["charge_now": "5", "charge_full": "0"],
      ["charge_now": "9000000", "charge_full": "2000000"],
      ["charge_now": "5", "charge_full": "-2000000"],
    ] {
      try battery(files.merging(["capacity": "42"], uniquingKeysWith: { a, _ in a }))
      #expect(try gauge().read().level == 0.42)
    }
    try battery([
      "charge_now": "1000000", "charge_full": "2000000", "charge_full_design": "900000000",
    ])
    #expect(try gauge().read().level == 0.5)
  }

  @Test("the first battery is used, and no other kind of supply")
  func firstBattery() throws {
    try battery(["type": "Mains", "capacity": "1"], name: "AC")
    try battery(["capacity": "77"])
    let first = gauge()
    #expect(first.name == "battery (the first one)")
    #expect(try first.read().level == 0.77)
    #expect(first.name == "battery BAT0")
  }

  @Test("an empty gauge is refused with a reason, and read when it has values")
  func refused() throws {
    func said(_ device: String? = nil) -> String? {
      thrown(PortError.self) { try gauge(device).read() }?.message
    }
    #expect(said()?.contains("there is no battery (policy.adaptive.budget_gauge)") == true)
    #expect(said()?.contains("power supplies here: none") == true)
    try battery([:])
    #expect(said()?.contains("its level is unknown") == true)
    for wild in ["101", "-1", "1e2", "nan", "", "99999999999999999999", "\u{0}5"] {
      try battery(["capacity": wild])
      #expect(said() != nil, "\(wild)")
    }
    #expect(said("../../secret")?.contains("power supplies here: BAT0") == true)
    try battery(["capacity": "100"])
    #expect(try gauge().read().level == 1)
  }

  @Test("a level outside 0 to 1 is clamped", arguments: [-1, 2, .nan, .infinity])
  func clamped(level: Double) {
    #expect((0...1).contains(BatteryReading(level: level, isSupplied: false).level))
  }
}
