import KernelHardware
import GNSS
import Hardware

/// The level of a line at each moment.
enum LevelChecks {
  static let all = [
    Check("every line starts safe") { bench in
      for line in Workbench.Line.allCases { try bench.pull(line, up: line != .backup) }
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.acquire()
      try bench.expectLevels(
        [.supply: false, .backup: true, .uart: false, .wake: false, .reset: true], "held")
    },
    Check("an active-low line is low when it is active") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY active-low"])
      try gpio.acquire()
      try bench.expectLevels([.supply: true], "inactive")
      try gpio.set(.supply, active: true)
      try bench.expectLevels([.supply: false], "active")
    },
    Check("on_start = on supplies at once, the serial line shut") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole, onStart: .on)
      try gpio.acquire()
      try bench.expectLevels([.supply: true, .backup: true, .uart: false], "held")
    },
    Check("on_start = keep takes a low line as it is") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole, onStart: .keep)
      try gpio.acquire()
      try bench.expectLevels([.supply: false, .uart: false], "held")
    },
    Check("on_start = keep takes a high line as it is") { bench in
      try bench.pull(.supply, up: true)
      try bench.pull(.uart, up: true)
      let gpio = try bench.makeSwitch(Workbench.whole, onStart: .keep)
      try gpio.acquire()
      try bench.expectLevels([.supply: true, .uart: true, .wake: false], "held")
    },
    Check("on_start = keep understands active-low") { bench in
      try bench.pull(.uart, up: true)
      let gpio = try bench.makeSwitch(
        [.supply: "GNSS_SUPPLY active-low", .uart: "GNSS_UART"], onStart: .keep)
      try gpio.acquire()
      try bench.expectLevels([.supply: false, .uart: true], "held")
    },
    Check("keep shuts a serial line that runs into an unpowered module") { bench in
      try bench.pull(.uart, up: true)
      let gpio = try bench.makeSwitch(Workbench.whole, onStart: .keep)
      try gpio.acquire()
      try bench.expectLevels([.supply: false, .uart: false], "held")
    },
    Check("keep is one step of the kernel, without another level in between") { bench in
      try bench.pull(.supply, up: true)
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"], onStart: .keep)
      let trace = try bench.traced { try gpio.acquire() }
      let values = trace.filter { $0.contains("gpio_value") && $0.contains(" set ") }
      let directions = trace.filter { $0.contains("gpio_direction") }
      try expect(values.count == 1 && values[0].hasSuffix(" set 1"), "values: \(trace)")
      try expect(directions.count == 1 && directions[0].contains(" out "), "directions: \(trace)")
    },
    Check("the serial line is shut before the supply goes at the end") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole)
      try gpio.set(.supply, active: true)
      try gpio.set(.uart, active: true)
      let trace = try bench.traced { try gpio.close() }
      let values = trace.filter { $0.contains("gpio_value") && $0.contains(" set ") }
      try expect(values.count == 2 && values.allSatisfy { $0.hasSuffix(" set 0") }, "\(values)")
      let numbers = values.compactMap { value in
        value.split(separator: " ").dropLast(2).last.flatMap { Int($0) }
      }
      let apart = Workbench.Line.uart.rawValue - Workbench.Line.supply.rawValue
      try expect(numbers.count == 2 && numbers[0] == numbers[1] + apart, "order: \(values)")
    },
    Check("on_exit = on leaves the last word with on") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"], onExit: .on)
      try gpio.acquire()
      let trace = try bench.traced { try gpio.close() }
      let values = trace.filter { $0.contains("gpio_value") && $0.contains(" set ") }
      try expect(values.map { $0.hasSuffix(" set 1") } == [true], "\(trace)")
    },
    Check("on_exit = keep sets nothing") { bench in
      let gpio = try bench.makeSwitch(Workbench.whole, onExit: .keep)
      try gpio.set(.supply, active: true)
      let trace = try bench.traced { try gpio.close() }
      try expect(!trace.contains { $0.contains("gpio_value") }, "\(trace)")
    },
    Check("closing twice is closing once, and nothing is set afterwards") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY"])
      try gpio.set(.supply, active: true)
      try gpio.close()
      try gpio.close()
      try bench.expectRefusal(["was released"]) { try gpio.set(.supply, active: true) }
      try bench.expectLevels([.supply: false], "closed")
    },
    Check("an open-drain line without a pull-up does not follow") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY", .wake: "GNSS_WAKE open-drain"])
      try gpio.acquire()
      try bench.expectRefusal(["power_switch.wake", "does not follow", "pull-up"]) {
        try gpio.set(.wake, active: true)
      }
    },
    Check("a pull word reaches the chip") { bench in
      let gpio = try bench.makeSwitch([.supply: "GNSS_SUPPLY active-low open-drain pull-up"])
      try gpio.acquire()
      try bench.expectLevels([.supply: true], "pulled up, inactive")
    },
  ]
}
