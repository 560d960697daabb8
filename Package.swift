// swift-tools-version:6.0
import PackageDescription

/// Every target is compiled with warnings as errors.
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]

func room(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}

func tests(_ name: String, _ imports: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + imports, swiftSettings: strict)
}

/// What libFuzzer feeds with bytes, see Tests/Fuzz. A library, so that the tests can feed it too; a
/// program of libFuzzer's when GODWIT_FUZZ is set, as `make fuzz` does.
func fuzz(_ name: String, _ imports: [Target.Dependency]) -> Target {
  let imports = imports + ["FuzzInput"]
  let path = "Tests/Fuzz/\(name)"
  guard Context.environment["GODWIT_FUZZ"] != nil else {
    return .target(
      name: "Fuzz\(name)", dependencies: imports, path: path, swiftSettings: strict)
  }
  return .executableTarget(
    name: "Fuzz\(name)", dependencies: imports, path: path,
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"]), .define("FUZZING")])
}

let package = Package(
  name: "godwit",
  products: [.executable(name: "godwit", targets: ["godwit"])],
  dependencies: [
    // Subcommands, help, man page and shell completions, as users of other Swift tools know them.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0")
  ],
  targets: [
    // Pure rooms, in the order in which they may import each other.
    room("Quantities"),
    room("Notation", ["Quantities"]),
    // How modules declare what can be set about them, beside their structs.
    room("SettingDeclarations", ["Quantities", "Notation"]),
    room("Geodesy", ["Quantities"]),
    room("ReceiverProtocols", ["Quantities", "Notation", "Geodesy"]),
    // What is stored and told, and nothing else: the store can be built without the heart.
    room("Records", ["Quantities"]),
    room("Energy", ["Quantities", "Notation", "SettingDeclarations", "Records"]),
    room("MonitorProtocols", ["Quantities", "Energy"]),
    room(
      "Tracking",
      [
        "Quantities", "Notation", "SettingDeclarations", "Geodesy", "ReceiverProtocols", "Records",
        "Energy",
      ]),
    room("Formats", ["Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records"]),
    room(
      "PowerControl",
      ["Quantities", "SettingDeclarations", "ReceiverProtocols", "Records", "Energy"]),
    room("Config", ["Quantities", "Notation", "SettingDeclarations"]),
    room("Ports", ["Quantities", "ReceiverProtocols", "Records", "Energy", "PowerControl"]),

    // What every adapter needs of the system: clock, error text, socket addresses, small files.
    room("Platform", ["Quantities"]),

    // Adapters: the outside world behind the ports. They never import each other.
    room(
      "Receivers",
      [
        "Quantities", "Notation", "SettingDeclarations", "Ports", "Platform", "CGps", "CLinux",
      ]),
    room("PowerSwitch", ["Quantities", "Notation", "PowerControl", "Ports", "Platform", "CGpiod"]),
    room(
      "PowerMonitor",
      [
        "Quantities", "SettingDeclarations", "Energy", "MonitorProtocols", "Ports", "Platform",
        "CLinux",
      ]),
    room(
      "Store",
      [
        "Quantities", "Notation", "SettingDeclarations", "Records", "Ports", "Platform", "CLinux",
        "CSQLite",
      ]),
    room(
      "VirtualDevice",
      [
        "Quantities", "Geodesy", "Records", "Energy", "MonitorProtocols", "PowerControl", "Ports",
      ]),

    room(
      "Runtime",
      [
        "Quantities", "Notation", "SettingDeclarations", "ReceiverProtocols", "Records", "Energy",
        "Tracking", "PowerControl", "Ports", "Platform", "CLinux", "CSystemd",
      ]),
    // Everything that can be set, put together from the modules that declare it.
    room(
      "GodwitSettings",
      [
        "Quantities", "SettingDeclarations", "ReceiverProtocols", "Energy", "Tracking",
        "PowerControl", "Config", "PowerMonitor", "Receivers", "Runtime", "Store",
      ]),
    .executableTarget(
      name: "godwit",
      dependencies: [
        "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy",
        "MonitorProtocols", "Tracking", "Formats", "PowerControl", "Config", "Ports", "Receivers",
        "Platform", "PowerSwitch", "PowerMonitor", "Store", "VirtualDevice", "Runtime",
        "GodwitSettings",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // What Swift's Glibc module leaves out: epoll and some ioctl numbers.
    .systemLibrary(name: "CLinux"),
    // libgps speaks gpsd's socket protocol, through a shim because its structure differs by version.
    .target(name: "CGps", linkerSettings: [.linkedLibrary("gps")]),
    // libgpiod is the way to the kernel's GPIO lines; a shim, as versions 1 and 2 share no call.
    .target(name: "CGpiod", linkerSettings: [.linkedLibrary("gpiod")]),
    // SQLite is the store: the one embedded database that survives power cuts by design.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // sd-event is the loop, with systemd's watchdog and readiness notices in it.
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    tests("Quantities", []),
    tests("Notation", ["Quantities"]),
    tests("Geodesy", ["Quantities"]),
    tests("Records", ["Quantities"]),
    tests("Energy", ["Quantities", "Records"]),
    tests("MonitorProtocols", ["Quantities"]),
    tests(
      "PowerControl", ["Quantities", "ReceiverProtocols", "Energy", "TestSupport"]),
    tests(
      "VirtualDevice", ["Quantities", "Geodesy", "Records", "Energy", "PowerControl", "Ports"]),
    tests(
      "Tracking",
      [
        "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy", "Scoring",
        "TestSupport",
      ]),
    // Scores what Tracking finds against labelled traces; in the tests and as a program.
    .target(
      name: "Scoring",
      dependencies: [
        "Quantities", "Notation", "ReceiverProtocols", "Records", "Tracking", "Formats", "RealData",
      ],
      path: "Tests/Support/Scoring", swiftSettings: strict),
    .executableTarget(
      name: "godwit-score",
      dependencies: [
        "Quantities", "Notation", "Geodesy", "Records", "Tracking", "Formats", "Scoring",
      ],
      path: "Tests/Tools/Score", swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: strict),
    .target(name: "RealData", path: "Tests/Support/RealData", swiftSettings: strict),
    tests("Formats", ["Quantities", "Notation", "Records", "RealData", "TestSupport"]),
    tests(
      "Store",
      [
        "Quantities", "Records", "Tracking", "Ports", "Platform", "TestSupport", "store-torture",
        "godwit",
      ]),
    .executableTarget(
      name: "store-torture", dependencies: ["Quantities", "Records", "Store"],
      path: "Tests/Tools/StoreTorture", swiftSettings: strict),
    // What stands in for receivers, gpsd and other programs in tests that run in real time.
    .target(
      name: "ReceiverStandIns", dependencies: ["CLinux"], path: "Tests/Support/ReceiverStandIns",
      swiftSettings: strict),
    // The kernel laboratory: runs the daemon inside a real kernel with simulated hardware.
    .target(name: "KernelHardware", path: "Tests/KernelLab/Hardware", swiftSettings: strict),
    .executableTarget(
      name: "switch-exercise",
      dependencies: ["PowerControl", "Ports", "KernelHardware", "PowerSwitch"],
      path: "Tests/Tools/SwitchExercise", swiftSettings: strict),
    .executableTarget(
      name: "kernel-lab",
      dependencies: [
        "Quantities", "Notation", "Records", "Ports", "Store", "Runtime", "KernelHardware",
        "ReceiverStandIns", "TestSupport",
      ],
      path: "Tests/KernelLab/Lab", swiftSettings: strict),
    .executableTarget(
      name: "lab-receiver",
      dependencies: [
        "Quantities", "Records", "Energy", "Ports", "VirtualDevice", "ReceiverStandIns",
      ],
      path: "Tests/KernelLab/Receiver", swiftSettings: strict),
    tests("Platform", ["Quantities", "TestSupport"]),
    tests("PowerSwitch", ["PowerControl", "Ports", "Platform", "TestSupport"]),
    tests("Receivers", ["Quantities", "Ports", "Platform", "ReceiverStandIns", "TestSupport"]),
    tests(
      "godwit",
      [
        "Quantities", "Notation", "ReceiverProtocols", "Records", "Energy", "Tracking",
        "PowerControl", "Config", "GodwitSettings", "Ports", "ReceiverStandIns", "Runtime", "Store",
        "TestSupport",
      ]),
    tests("PowerMonitor", ["Quantities", "MonitorProtocols", "Ports", "TestSupport"]),
    tests("ReceiverProtocols", ["Quantities", "Notation", "RealData", "TestSupport"]),
    // Measurements; never part of the tests.
    .executableTarget(
      name: "godwit-bench",
      dependencies: ["Quantities", "ReceiverProtocols", "Records", "Tracking", "Formats", "Store"],
      path: "Tests/Benchmarks", exclude: ["bench.sh", "idle.sh"], swiftSettings: strict),
    // The daemon as a process of its own, with receivers, gpsd and systemd's sockets around it.
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "godwit", "CLinux", "Config", "GodwitSettings", "Notation", "ReceiverStandIns", "Runtime",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    // Coverage-guided fuzzing; the tests replay its seeds and what it has found.
    .target(
      name: "FuzzInput", dependencies: ["Quantities", "ReceiverProtocols"],
      path: "Tests/Fuzz/Input", swiftSettings: strict),
    .target(
      name: "FuzzVisits", dependencies: ["Records", "FuzzInput"], path: "Tests/Fuzz/Visits",
      swiftSettings: strict),
    fuzz("Receiver", ["Quantities", "Notation", "ReceiverProtocols"]),
    fuzz("Gpsd", ["Quantities", "Notation", "ReceiverProtocols"]),
    fuzz("Settings", ["Config", "GodwitSettings"]),
    fuzz("Traces", ["Quantities", "Records", "Formats"]),
    fuzz("State", ["Quantities", "ReceiverProtocols", "Tracking", "FuzzVisits"]),
    fuzz(
      "Steps", ["Quantities", "ReceiverProtocols", "Records", "Energy", "Tracking", "FuzzVisits"]),
    fuzz("Requests", ["Notation", "Runtime"]),
    fuzz(
      "Rows",
      ["Quantities", "Notation", "Records", "Tracking", "Formats", "Ports", "Store", "CSQLite"]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "FuzzInput", "FuzzReceiver", "FuzzGpsd", "FuzzSettings", "FuzzTraces", "FuzzState",
        "FuzzSteps", "FuzzRequests", "FuzzRows",
      ],
      swiftSettings: strict),
    tests("SettingDeclarations", ["Quantities", "Config", "TestSupport"]),
    tests(
      "Config",
      [
        "Quantities", "Notation", "SettingDeclarations", "Energy", "Store", "GodwitSettings",
        "TestSupport",
      ]),
    tests("GodwitSettings", ["Notation", "SettingDeclarations", "Config", "TestSupport"]),
    tests(
      "Runtime",
      [
        "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy", "Tracking",
        "PowerControl", "Ports", "Platform", "ReceiverStandIns",
      ]),
  ]
)
