import Foundation

/// Runs the scenarios of the kernel laboratory, each in its own kernel, and ends with one line of
/// figures. The same program runs on both sides: `kernel-lab` on the host boots a kernel whose only
/// process is `kernel-lab guest SCENARIO`.
@main struct KernelLab {
  static let scenarios: [any Scenario] = [
    BenchScenario(), SwitchScenario(), DayScenario(name: "day", policy: "hybrid"),
    DayScenario(name: "day-adaptive", policy: "adaptive", feelsMotion: true),
    // The first fix is made during the first journey, so the sensor is validated by the second.
    DayScenario(name: "coarse-day", policy: "hybrid", feelsMotion: true, provingJourneys: 2),
    KillScenario(name: "kill", commitInterval: 0),
    KillScenario(name: "kill-lazy", commitInterval: 900),
    LineTakenScenario(), GpsdScenario(name: "gpsd", options: ""),
    GpsdScenario(name: "gpsd-n", options: "-n"), ChipLateScenario(),
    ChipVanishesScenario(
      name: "chip-vanishes", policy: ["policy.name=periodic", "policy.periodic.interval_s=60"]),
    ChipVanishesScenario(name: "chip-vanishes-unswitched", policy: ["policy.name=continuous"]),
    MonitorVanishesScenario(), GnssDeviceScenario(), MonitorKindsScenario(), PowerRecordScenario(),
    EnergyTestScenario(), EnergyTroublesScenario(),
    CaptureScenario(), SleepScenario(name: "sleep", family: "mediatek", accepts: true),
    SleepScenario(name: "sleep-refused", family: "casic", accepts: false),
    WrongSettingsScenario(), DoctorScenario(), MotionScenario(), MotionLossScenario(),
    StormScenario(name: "storm", travelsInTime: true),
    StormScenario(name: "storm-load", travelsInTime: false), IgnitionScenario(),
    AccelerometerScenario(), BatteryScenario(),
    RadioScenario(), NetworkManagerScenario(), BluetoothScenario(), BeaconsScenario(),
  ]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "guest" { exit(guest(arguments.dropFirst())) }
    do {
      exit(try LabRun(arguments).run(scenarios))
    } catch {
      print("kernel-lab: \(error)")
      exit(2)
    }
  }

  /// Runs inside the laboratory's kernel.
  static func guest(_ arguments: ArraySlice<String>) -> Int32 {
    guard let name = arguments.first, let scenario = scenarios.first(where: { $0.name == name })
    else { return 2 }
    do {
      try Results(folder: Bench.results).save(try scenario.live())
      return 0
    } catch {
      print("\(name): \(error)")
      return 1
    }
  }
}
