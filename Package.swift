// swift-tools-version:6.0
import PackageDescription

// A table: each target with what its files import, no more and no less (`make lint` compares). What
// a group may import is a rule of Tests/ArchitectureTests; within one, only what stands above.

/// No clock, no file, no device, no output: what Godwit knows and decides.
let pure: KeyValuePairs<String, String> = [
  // Units as types, two clocks that cannot be mixed; text and JSON; how settings are declared;
  // statistics, distances on the Earth, local time and recurrence.
  "Core": "",
  // What is stored and exported, with its charge and energy: the store builds without Tracking.
  "Records": "Core",
  // The receiver: bytes into fixes, commands into bytes, and how it is switched and put to sleep.
  "GNSS": "Core Records",
  // Bluetooth beacons, and where access points and cells are.
  "RadioSignals": "Core Records",
  // Places and their edges, and the alerts about them.
  "Places": "Core Records RadioSignals",
  // Traces, exports, place files, and other programs' messages.
  "Formats": "Core Records RadioSignals Places",
  // What a run or a measurement is worth: scores, fitted receivers, reports of energy tests.
  "Analysis": "Core Records Formats",
  // What people exchange: letters, groups, meetings.
  "Messaging": "Core Records Places",
  // When GNSS is wanted, which fixes to trust, visits, trajectory.
  "Tracking": "Core Records GNSS RadioSignals Places",
  // What is handed on to others: to whom, in which order, and what counts as received.
  "Delivery": "Core Records Places Formats",
  // TOML into settings with their origins; an image's boot file into the system's files.
  "Config": "Core",
  // What the outside world offers, as protocols.
  "Ports": "Core Records GNSS RadioSignals Delivery",
]

/// What every adapter needs of the system: clock, error text, addresses, small files.
let platform: KeyValuePairs<String, String> = [
  "Platform": "Core"
]

/// The outside world behind the ports. They never import each other.
let adapters: KeyValuePairs<String, String> = [
  // Receivers, switches, monitors, and what else than GNSS tells of motion and places.
  "Hardware": "Core Records GNSS RadioSignals Ports Platform CLinux CNetlink CShims CSystemd",
  // All that is kept on the disk: the records, the outbox, the learnt radio map.
  "Store": "Core Records RadioSignals Formats Delivery Ports Platform CLinux CSQLite",
  // What carries messages to others, and seals them: MQTT, HTTP, PostGIS, libsodium.
  "Transports": "Core Records Delivery Ports Platform CLinux CShims",
  // A whole board in memory.
  "VirtualDevice": "Core Records GNSS RadioSignals Analysis Ports",
]

/// What runs them all; only `godwit` chooses adapters.
let runtime: KeyValuePairs<String, String> = [
  // The event loop, the store's writer, the control socket.
  "Runtime":
    "Core Records GNSS RadioSignals Places Formats Messaging Tracking Delivery Ports Platform "
    + "CLinux CShims CSystemd",
  // One run of the uplink: from the store into the outbox, and from there to whom it is for.
  "Uplink":
    "Core Records Places Formats Messaging Tracking Delivery Ports Platform Runtime CSystemd",
  // Everything that can be set, put together from the modules that declare it.
  "GodwitSettings":
    "Core Records GNSS RadioSignals Places Messaging Tracking Delivery Hardware Store Runtime",
]

let program: KeyValuePairs<String, String> = [
  "godwit":
    "Core Records GNSS RadioSignals Places Formats Analysis Messaging Tracking Delivery "
    + "Config Ports Platform Hardware Store Transports VirtualDevice Runtime Uplink "
    + "GodwitSettings CLinux CVersion"
]

// MARK: C libraries

/// What .ci/version says, as `make` and the packages hand it over.
let stampedVersion: [CSetting] =
  Context.environment["GODWIT_VERSION"].map {
    [.define("GODWIT_VERSION", to: "\"\($0)\"")]
  } ?? []

let libraries: [Target] = [
  // The program's version. C, so that a new commit compiles one file and not every module.
  .target(name: "CVersion", cSettings: stampedVersion),
  // What Swift's Glibc module leaves out: epoll and some ioctl numbers.
  .systemLibrary(name: "CLinux"),
  // What is easier said in C, a folder each: calls that may hang, on a thread each; libraries that
  // only those pay for who use them (libmosquitto, libcurl, libpq and libsodium are loaded when
  // used: the daemon needs none of them); libgps, which speaks gpsd's protocol, because its
  // structure differs by version; libgpiod, the way to the kernel's GPIO lines, because versions 1
  // and 2 share no call.
  .target(
    name: "CShims", linkerSettings: [.linkedLibrary("gps"), .linkedLibrary("gpiod")]),
  // libmnl, 20 kB, keeps netlink's lengths and paddings, which a mistake in would be a hole.
  .systemLibrary(name: "CNetlink", pkgConfig: "libmnl", providers: [.apt(["libmnl-dev"])]),
  // SQLite is the store: the one embedded database that survives power cuts by design.
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  // sd-event is the loop, with systemd's watchdog and readiness notices in it.
  .systemLibrary(
    name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
]

// MARK: Tests

/// What the tests share, below Tests/Support.
let supports: KeyValuePairs<String, String> = [
  "TestSupport": "Core",
  // Stores in memory.
  "StoreStandIns": "Core Records Ports",
  // For each setting another value that it takes.
  "ChangedSettings": "Core Config GodwitSettings",
  // Recordings and labelled traces, which are not part of the project.
  "RealData": "",
  // The kernel laboratory's simulated chips.
  "KernelHardware": "",
  // What stands in for receivers, gpsd and other programs in tests that run in real time.
  "ReceiverStandIns": "CLinux",
  // Debian's broker as a process of a test's own.
  "BrokerStandIns": "Delivery Ports Platform ReceiverStandIns TestSupport",
  // Debian's PostgreSQL with PostGIS, the same way.
  "DatabaseStandIns": "ReceiverStandIns TestSupport",
  // A message bus of the tests' own, and services on it that python-dbusmock stands in for.
  "BusStandIns": "Core Ports Platform ReceiverStandIns TestSupport",
  // Scores what Tracking finds against labelled traces; in the tests and as a program.
  "LabelledDays": "Core Records GNSS Formats Analysis Tracking RealData",
  // Learns access points on half of simulated days and is tried on the other half; in the tests and
  // as a program.
  "Neighbourhoods": "Core Records RadioSignals VirtualDevice",
  // Boards drawn by a seed, measured and fitted; in the tests and as a program.
  "MadeUpBoards": "Core Records GNSS Analysis Tracking Ports VirtualDevice Runtime StoreStandIns",
  // Landsmann's experiment with phones and boards; in the tests and as a program.
  "LetterboxExperiment": "Core Records GNSS Places Tracking Ports VirtualDevice Runtime",
  // Stays behind walls, and when they are taken to end; in the tests and as a program.
  "IndoorStays": "Core Records Places VirtualDevice",
  // What is parked or lies at anchor, and is taken away; in the tests and as a program.
  "GuardExperiment": "Core Records GNSS Tracking Ports VirtualDevice Runtime StoreStandIns",
  // Lives among Bluetooth beacons, and what is told of them; in the tests and as a program.
  "BeaconExperiment":
    "Core Records GNSS RadioSignals Places Formats Tracking Ports VirtualDevice Runtime "
    + "StoreStandIns",
  // People with boards and a broker between them, in virtual time.
  "PeopleExperiment": "Core Records Messaging TestSupport",
  // Whole boards that somebody carries, with daemon and store, in virtual time; in the tests and as
  // a program.
  "CarriedBoards":
    "Core Records GNSS Places Formats Messaging Tracking Ports Store VirtualDevice Runtime "
    + "PeopleExperiment TestSupport",
]

/// Programs that the tests and the measurements run: name, folder below Tests.
let tools: KeyValuePairs<String, String> = [
  // Uploads by HTTP in a process of its own, for the tests and for measurements.
  "upload-exercise Tools/UploadExercise": "Core Delivery Ports Platform Transports",
  // Measurements; never part of the tests.
  "godwit-bench Benchmarks": "Core Records GNSS Places Formats Tracking Store VirtualDevice",
  // The services that the sources ask, for the daemon that idles with all of them.
  "bench-bus Benchmarks/Bus": "BusStandIns",
  "godwit-score Tools/Score": "Core Records Formats Analysis Tracking LabelledDays",
  "godwit-neighbourhoods Tools/Neighbourhoods": "Core VirtualDevice Neighbourhoods",
  "godwit-fit-study Tools/FitStudy": "Core Analysis Tracking VirtualDevice MadeUpBoards",
  "godwit-test-study Tools/TestStudy": "Core Records Analysis VirtualDevice",
  "godwit-letterbox-study Tools/LetterboxStudy": "Core Formats Tracking LetterboxExperiment",
  "godwit-indoor-study Tools/IndoorStudy": "Core IndoorStays TestSupport",
  "godwit-beacon-study Tools/BeaconStudy": "Core VirtualDevice BeaconExperiment TestSupport",
  "godwit-people-study Tools/PeopleStudy": "Core CarriedBoards TestSupport",
  "godwit-guard-study Tools/GuardStudy": "Core VirtualDevice GuardExperiment TestSupport",
  // Writes to a store until it is killed, for the tests of StoreTests.
  "store-torture Tools/StoreTorture": "Core Records Store",
  // The GPIO switch on the simulated chips of a real kernel.
  "switch-exercise Tools/SwitchExercise": "GNSS Ports Hardware KernelHardware",
  // The kernel laboratory: runs the daemon inside a real kernel with simulated hardware.
  "kernel-lab KernelLab/Lab":
    "Core Records GNSS RadioSignals Ports Hardware Store Runtime ReceiverStandIns TestSupport "
    + "KernelHardware",
  "lab-receiver KernelLab/Receiver": "Core Records VirtualDevice ReceiverStandIns",
]

/// What libFuzzer feeds with bytes, below Tests/Fuzz.
let fuzzed: KeyValuePairs<String, String> = [
  "Receiver": "Core GNSS",
  "Gpsd": "Core GNSS",
  "Settings": "Config GodwitSettings",
  "Boot": "Config GodwitSettings",
  "Cells": "Core Records Formats",
  "Traces": "Core Records Formats",
  "Places": "Places Formats",
  "State": "Core GNSS Tracking FuzzVisits",
  "Steps": "Core Records GNSS Tracking FuzzVisits",
  "Requests": "Core Runtime",
  "Messages": "Core Formats Delivery",
  "Netlink": "Hardware",
  "Letters": "Core Messaging",
  "People": "Core Records Messaging Runtime",
  "Beacons": "Core RadioSignals",
  "Rows": "Core Records Formats Tracking Ports Store CSQLite",
]

/// By what they are of. A program stands here because the tests run it.
let suites: KeyValuePairs<String, String> = [
  "Quantities": "Core",
  "Notation": "Core",
  "SettingDeclarations": "Core Config TestSupport",
  "Statistics": "Core VirtualDevice",
  "Laboratory": "Core Records Analysis Config VirtualDevice",
  "Geodesy": "Core",
  "Recurrence": "Core TestSupport",
  "ReceiverProtocols": "Core GNSS RealData TestSupport",
  "Records": "Core Records TestSupport",
  "Positioning": "Core Records RadioSignals VirtualDevice Neighbourhoods RealData TestSupport",
  "Beacons": "Core RadioSignals TestSupport",
  "Contents": "Core Records TestSupport",
  "People": "Core Messaging TestSupport",
  "Letters": "Core Records Messaging TestSupport",
  "Places": "Core Records RadioSignals Places IndoorStays TestSupport",
  "Groups": "Core Records Places Messaging TestSupport",
  "Correspondence": "Core Messaging PeopleExperiment TestSupport",
  "Alerts": "Core Records Places TestSupport",
  "Energy": "Core Records TestSupport",
  "MonitorProtocols": "Core Records",
  "Fitting": "Core Records Analysis MadeUpBoards",
  "Tracking": "Core Records GNSS Places Analysis Tracking LabelledDays TestSupport",
  "GuardExperiment": "Core GuardExperiment",
  "BeaconExperiment": "Core BeaconExperiment",
  "LetterboxExperiment": "Core Tracking LetterboxExperiment",
  "Scoring": "Core Analysis",
  "Formats": "Core Records Formats RealData TestSupport",
  "PlaceFiles": "Core Records RadioSignals Places Formats RealData TestSupport",
  "PowerControl": "Core Records GNSS TestSupport",
  "Config": "Core Records Config Store GodwitSettings TestSupport",
  "Provisioning": "Core Config Hardware GodwitSettings TestSupport",
  "Messages": "Core Formats TestSupport",
  "Delivery": "Core Records Places Formats Delivery Config TestSupport",
  "Platform": "Core Platform TestSupport",
  "Receivers": "Core Ports Platform Hardware ReceiverStandIns TestSupport",
  "SQLite": "Store CSQLite",
  "HTTP":
    "Core Delivery Ports Platform Transports BrokerStandIns ReceiverStandIns TestSupport "
    + "upload-exercise",
  "MQTT": "Core Delivery Platform Transports BrokerStandIns ReceiverStandIns TestSupport",
  "Uplink":
    "Core Records Places Formats Messaging Delivery Config Ports Platform Store Transports "
    + "Runtime Uplink godwit BrokerStandIns ReceiverStandIns TestSupport",
  "Outbox": "Core Records Delivery Ports Platform Store TestSupport",
  "PostGIS":
    "Core Records Delivery Ports Store Transports godwit BrokerStandIns DatabaseStandIns "
    + "ReceiverStandIns TestSupport",
  "Sodium": "Formats Delivery Ports Transports TestSupport CShims",
  "UplinkSocket": "Ports Platform Uplink TestSupport",
  "Netlink": "Platform Hardware CNetlink",
  "GpioLines": "GNSS Platform Hardware",
  "Bus": "Core Platform Hardware BusStandIns ReceiverStandIns TestSupport",
  "PowerSwitch": "GNSS Ports Platform Hardware TestSupport",
  "Bluetooth": "Core RadioSignals Ports Hardware BusStandIns",
  "Coarse": "Core Records GNSS Ports Platform Hardware BusStandIns TestSupport CNetlink",
  "PowerMonitor": "Core Records Ports Hardware TestSupport",
  "Store":
    "Core Records Tracking Delivery Ports Platform Store godwit TestSupport store-torture "
    + "CSQLite",
  "RadioMap": "Core Records RadioSignals Formats Ports Store TestSupport",
  "AlertCommand": "Core Ports Platform Hardware TestSupport",
  "VirtualDevice": "Core Records GNSS RadioSignals Ports VirtualDevice",
  "Runtime":
    "Core Records GNSS RadioSignals Places Formats Messaging Tracking Delivery Ports Platform "
    + "Runtime StoreStandIns PeopleExperiment ReceiverStandIns TestSupport CShims",
  "GodwitSettings": "Core Config GodwitSettings ChangedSettings TestSupport",
  "godwit":
    "Core Records GNSS RadioSignals Places Formats Analysis Messaging Tracking Delivery "
    + "Config Ports Platform Hardware Store VirtualDevice Runtime GodwitSettings godwit "
    + "StoreStandIns ChangedSettings PeopleExperiment CarriedBoards ReceiverStandIns RealData "
    + "TestSupport",
  // The daemon as a process of its own, with receivers, gpsd and systemd's sockets around it.
  "Daemon":
    "Core Messaging Config Ports Runtime GodwitSettings godwit ReceiverStandIns BrokerStandIns "
    + "TestSupport CLinux",
  // Replays the seeds of the fuzzers and what they have found.
  "Fuzz": "FuzzInput " + fuzzed.map { "Fuzz\($0.key)" }.joined(separator: " "),
  // Classes of all modules that own something, opened and let go again and again.
  "Ownership":
    "Core Records Ports Platform Hardware Store Transports Runtime Uplink ReceiverStandIns "
    + "TestSupport CSQLite",
  // The rules of docs/design/architecture.md, asked of the sources.
  "Architecture": "",
]

// MARK: The package

/// Every target is compiled with warnings as errors.
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]

/// Tests live through months in these: without optimization they would take three times as long.
let calculating: Set<String> = [
  "Core", "GNSS", "Records", "Analysis", "RadioSignals", "Places", "Tracking", "VirtualDevice",
  "Store",
]

let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func dependencies(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map { .byName(name: String($0)) }
}

func modules(_ table: KeyValuePairs<String, String>) -> [Target] {
  table.map { name, imports in
    .target(
      name: name, dependencies: dependencies(imports),
      swiftSettings: calculating.contains(name) ? strict + optimized : strict)
  }
}

let godwit: [Target] = program.map { name, imports in
  .executableTarget(
    name: name,
    dependencies: dependencies(imports) + [
      .product(name: "ArgumentParser", package: "swift-argument-parser")
    ], swiftSettings: strict)
}

let support: [Target] = supports.map { name, imports in
  .target(
    name: name, dependencies: dependencies(imports), path: "Tests/Support/\(name)",
    swiftSettings: strict)
}

let benchmarkScripts = [
  "bench.sh", "comparison.sh", "idle.sh", "measure.sh", "uplink.sh", "Bus",
]

let programs: [Target] = tools.map { tool, imports in
  let words = tool.split(separator: " ").map(String.init)
  return .executableTarget(
    name: words[0], dependencies: dependencies(imports), path: "Tests/\(words[1])",
    exclude: words[1] == "Benchmarks" ? benchmarkScripts : [], swiftSettings: strict)
}

/// Libraries, so that the tests can feed them too; programs of libFuzzer's when GODWIT_FUZZ is set,
/// as `make fuzz` does.
let fuzzing: [Target] = fuzzed.map { name, imports in
  let (path, imports) = ("Tests/Fuzz/\(name)", dependencies(imports + " FuzzInput"))
  guard Context.environment["GODWIT_FUZZ"] != nil else {
    return .target(
      name: "Fuzz\(name)", dependencies: imports, path: path, swiftSettings: strict)
  }
  return .executableTarget(
    name: "Fuzz\(name)", dependencies: imports, path: path,
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"]), .define("FUZZING")])
}

let fuzzInput: [Target] = [
  .target(
    name: "FuzzInput", dependencies: dependencies("Core GNSS"), path: "Tests/Fuzz/Input",
    swiftSettings: strict),
  .target(
    name: "FuzzVisits", dependencies: dependencies("Records FuzzInput"), path: "Tests/Fuzz/Visits",
    swiftSettings: strict),
]

let tests: [Target] = suites.map { name, imports in
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies(imports), swiftSettings: strict)
}

let targets: [[Target]] = [
  modules(pure), modules(platform), modules(adapters), modules(runtime), godwit, libraries, support,
  programs, fuzzInput, fuzzing, tests,
]

let package = Package(
  name: "godwit",
  products: [.executable(name: "godwit", targets: ["godwit"])],
  dependencies: [
    // Subcommands, help, man page and shell completions, as users of other Swift tools know them.
    // Exactly the version that everything was tested with. It has no dependencies of its own, so
    // this line pins all. No Package.resolved is committed: it would name a revision too, and that
    // of a mirror differs from the public one.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: targets.flatMap { $0 })
