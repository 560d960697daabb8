import KernelHardware
import GNSS
import Hardware

/// Chips that have not appeared yet, or have disappeared.
enum LossChecks {
  static let all = [
    Check("a chip that comes later is found at the next set") { bench in
      try bench.main.vanish()
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try bench.expectRefusal(["power_switch.supply", "GNSS_SUPPLY"]) { try gpio.acquire() }
      try bench.expectRefusal(["GNSS_SUPPLY"]) { try gpio.set(.supply, active: true) }
      try bench.main.appear()
      try gpio.set(.supply, active: true)
      try bench.expectLevels([.supply: true], "back")
    },
    Check("no chip at all is told as such") { bench in
      try bench.main.vanish()
      try bench.other.vanish()
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try bench.expectRefusal(["there is no GPIO chip"]) { try gpio.acquire() }
    },
    Check("a chip that vanishes while it is held is told, and found again") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.set(.supply, active: true)
      try bench.main.vanish()
      try bench.expectRefusal(["power_switch.uart", "has disappeared"]) {
        try gpio.set(.uart, active: true)
      }
      try bench.expectRefusal(["no GPIO line is called GNSS_SUPPLY"]) {
        try gpio.set(.supply, active: true)
      }
      try bench.main.appear()
      try gpio.set(.supply, active: false)
      try bench.expectLevels([.supply: false, .backup: true, .uart: false, .reset: true], "back")
      try gpio.set(.supply, active: true)
      try gpio.set(.uart, active: true)
      try bench.expectLevels([.supply: true, .uart: true], "set again")
    },
    Check("what failed to come on does not come on by itself") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.acquire()
      try bench.main.vanish()
      try bench.expectRefusal(["has disappeared"]) { try gpio.set(.supply, active: true) }
      try bench.main.appear()
      try gpio.set(.wake, active: false)
      try bench.expectLevels([.supply: false], "back")
    },
    Check("what did not follow at the start does not come on by itself") { bench in
      let gpio = try bench.makeSwitch(
        [.supply: "GNSS_SUPPLY open-drain", .wake: "GNSS_WAKE"], onStart: .on)
      try bench.expectRefusal(["power_switch.supply", "does not follow"]) { try gpio.acquire() }
      try bench.main.vanish()
      try bench.expectRefusal(["has disappeared"]) { try gpio.set(.wake, active: true) }
      try bench.main.appear()
      try bench.pull(.supply, up: true)
      try gpio.set(.wake, active: false)
      try bench.expectLevels([.supply: false], "back")
    },
    Check("a chip that came back between two sets costs one error") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try gpio.set(.supply, active: true)
      try bench.main.vanish()
      try bench.main.appear()
      try bench.expectRefusal(["has disappeared"]) { try gpio.set(.supply, active: true) }
      try gpio.set(.supply, active: true)
      try bench.expectLevels([.supply: true], "back")
    },
    Check("the other chip's line goes on being held") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY", .wake: "exercise-other:1"])
      try gpio.set(.supply, active: true)
      try bench.other.vanish()
      try bench.expectRefusal(["power_switch.wake", "has disappeared"]) {
        try gpio.set(.wake, active: true)
      }
      try bench.expectLevels([.supply: true], "the other chip gone")
      try gpio.set(.supply, active: false)
      try bench.expectLevels([.supply: false], "the other chip gone")
    },
    Check("closing after the chip vanished is no crash") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.set(.supply, active: true)
      try bench.main.vanish()
      try bench.expectRefusal(["has disappeared"]) { try gpio.close() }
      try gpio.close()
    },
    Check("a hundred disappearances leave no descriptor open") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.acquire()
      let before = try openDescriptors()
      for _ in 0..<100 {
        try bench.main.vanish()
        try? gpio.set(.supply, active: true)
        try bench.main.appear()
        try gpio.set(.supply, active: true)
      }
      let after = try openDescriptors()
      try expect(after == before, "\(before) descriptors before, \(after) after")
    },
  ]
}
