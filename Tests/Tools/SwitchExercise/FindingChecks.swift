import Foundation
import KernelHardware
import GNSS
import Hardware

/// Lines that exist, and all the ways in which they may be missing.
enum FindingChecks {
  static let all = [
    Check("a line is found by its name") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try gpio.set(.supply, active: true)
      try bench.expectLevels([.supply: true], "set active")
    },
    Check("a line is found by its chip's label and offset") { bench in
      let gpio = try bench.makeSwitch([.supply: "exercise-main:1"])
      try gpio.set(.supply, active: true)
      try bench.expectLevels([.supply: true], "set active")
    },
    Check("a name on two chips is refused with both lines") { bench in
      let gpio = try bench.makeSwitch([.supply: "TWICE"])
      try bench.expectRefusal(
        ["power_switch.supply", "exercise-main:6", "exercise-other:0", "LABEL:OFFSET"]
      ) { try gpio.set(.supply, active: true) }
    },
    Check("an unknown name comes with the nearest") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS-SUPPLY"])
      try bench.expectRefusal(["power_switch.supply = \"GNSS-SUPPLY\"", "GNSS_SUPPLY", "gpioinfo"])
      { try gpio.acquire() }
    },
    Check("an unknown label comes with those there are") { bench in
      let gpio = try bench.makeSwitch([.supply: "gpiochip0:1"])
      try bench.expectRefusal(["exercise-main, exercise-other"]) { try gpio.acquire() }
    },
    Check("an offset beyond the last line is refused") { bench in
      let gpio = try bench.makeSwitch([.supply: "exercise-main:8"])
      try bench.expectRefusal(["8 lines, 0 to 7"]) { try gpio.acquire() }
    },
    Check("two names of one line are refused") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY", .wake: "exercise-main:1"])
      try bench.expectRefusal(["power_switch.wake", "power_switch.supply"]) { try gpio.acquire() }
    },
    Check("a line that the kernel has given away names its holder") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_HOGGED"])
      try bench.expectRefusal(["in use by somebody else"]) { try gpio.acquire() }
    },
    Check("a line of another godwit is refused, and free after its end") { bench in
      let first = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try first.acquire()
      let second = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try bench.expectRefusal(["another godwit"]) { try second.acquire() }
      try first.close()
      try second.set(.supply, active: true)
      try bench.expectLevels([.supply: true], "taken over")
    },
    Check("when one line cannot be had, none is touched") { bench in
      try bench.pull(.supply, up: true)
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY", .reset: "GNSS_HOGGED"])
      try bench.expectRefusal(["power_switch.reset"]) { try gpio.acquire() }
      try bench.expectLevels([.supply: true], "refused")
      try bench.makeSwitch([.supply: "GNSS_SUPPLY"]).acquire()
    },
    Check("an unwired line is refused") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try bench.expectRefusal(["power_switch.wake"]) { try gpio.set(.wake, active: true) }
    },
    Check("without permission it says which group to join") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try expect(seteuid(65_534) == 0, "cannot become nobody")
      defer { _ = seteuid(0) }
      try bench.expectRefusal(["may not be opened", "group", "60-godwit-access.rules"]) {
        try gpio.acquire()
      }
    },
    Check("the settings' examination sees what is free, held and missing") { bench in
      let holder = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try holder.acquire()
      let states = SwitchCheck.examine(
        GpioSwitchSettings(
          lines: try Workbench.wiring([
            .supply: "GNSS_SUPPLY", .wake: "GNSS_WAKE", .reset: "GNSS_HOGGED", .uart: "NOWHERE",
          ])))
      try expect(states.count == 4, "\(states)")
      try expect(states[.supply]?.isOurs == true, "supply: \(String(describing: states[.supply]))")
      try expect(states[.wake]?.isFree == true, "wake: \(String(describing: states[.wake]))")
      try expect(
        states[.reset]?.problem?.contains("somebody else") == true,
        "reset: \(String(describing: states[.reset]))")
      try expect(
        states[.uart]?.problem?.contains("no GPIO line is called NOWHERE") == true,
        "uart: \(String(describing: states[.uart]))")
    },
  ]
}
