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
  Context.environment["GODWIT_VERSION"].map { [.define("GODWIT_VERSION", to: "\"\($0)\"")] } ?? []

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
  .target(name: "CShims", linkerSettings: [.linkedLibrary("gps"), .linkedLibrary("gpiod")]),
  // libmnl, 20 kB, keeps netlink's lengths and paddings, which a mistake in would be a hole.
  .systemLibrary(name: "CNetlink", pkgConfig: "libmnl", providers: [.apt(["libmnl-dev"])]),
  // SQLite is the store: the one embedded database that survives power cuts by design.
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  // sd-event is the loop, with systemd's watchdog and readiness notices in it.
  .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
]

// MARK: Tests

/// What the tests share, below Tests/Support; Tests/Studies uses it, too.
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
  // Scores what Tracking finds against labelled traces.
  "LabelledDays": "Core Records GNSS Formats Analysis Tracking RealData",
  // People with boards and a broker between them, in virtual time.
  "PeopleExperiment": "Core Records Messaging TestSupport",
  // Whole boards that somebody carries, with daemon and store, in virtual time.
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

/// By the module that they are of, with a folder for each of its folders. A program stands here
/// because the tests run it.
let suites: KeyValuePairs<String, String> = [
  "Core": "Core Config VirtualDevice TestSupport",
  "Records": "Core Records TestSupport",
  "GNSS": "Core Records GNSS RealData TestSupport",
  "RadioSignals": "Core Records RadioSignals RealData TestSupport",
  "Places": "Core Records RadioSignals Places TestSupport",
  "Formats": "Core Records RadioSignals Places Formats RealData TestSupport",
  "Analysis": "Core Records Analysis Config VirtualDevice",
  "Messaging": "Core Records Places Messaging PeopleExperiment TestSupport",
  "Tracking": "Core Records GNSS Places Analysis Tracking LabelledDays TestSupport",
  "Delivery": "Core Records Places Formats Delivery Config TestSupport",
  "Config": "Core Records Config Hardware Store GodwitSettings TestSupport",
  "Platform": "Core Platform TestSupport",
  "Hardware":
    "Core Records GNSS RadioSignals Ports Platform Hardware BusStandIns ReceiverStandIns "
    + "TestSupport CNetlink",
  "Store":
    "Core Records RadioSignals Formats Tracking Delivery Ports Platform Store godwit TestSupport "
    + "store-torture CSQLite",
  "Transports":
    "Core Records Formats Delivery Ports Platform Store Transports godwit BrokerStandIns "
    + "DatabaseStandIns ReceiverStandIns TestSupport upload-exercise CShims",
  "VirtualDevice": "Core Records GNSS RadioSignals Ports VirtualDevice",
  "Runtime":
    "Core Records GNSS RadioSignals Places Formats Messaging Tracking Delivery Ports Platform "
    + "Runtime StoreStandIns PeopleExperiment ReceiverStandIns TestSupport CShims",
  "Uplink":
    "Core Records Places Formats Messaging Delivery Config Ports Platform Store Transports "
    + "Runtime Uplink godwit BrokerStandIns ReceiverStandIns TestSupport",
  "GodwitSettings": "Core Config GodwitSettings ChangedSettings TestSupport",
  "godwit":
    "Core Records GNSS RadioSignals Places Formats Analysis Messaging Tracking Delivery "
    + "Config Ports Platform Hardware Store VirtualDevice Runtime GodwitSettings godwit "
    + "StoreStandIns ChangedSettings PeopleExperiment CarriedBoards ReceiverStandIns RealData "
    + "TestSupport",
  // The daemon as a process of its own, with receivers, gpsd and systemd's sockets around it.
  "Daemon":
    "Core Messaging Config Ports Runtime GodwitSettings godwit BrokerStandIns ReceiverStandIns "
    + "TestSupport CLinux",
  // Replays the seeds of the fuzzers and what they have found.
  "Fuzz": "FuzzInput TestSupport " + fuzzed.map { "Fuzz\($0.key)" }.joined(separator: " "),
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
let calculating = "Core GNSS Records Analysis RadioSignals Places Tracking VirtualDevice Store"
  .split(separator: " ").map(String.init)

let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func dependencies(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map { .byName(name: String($0)) }
}

func target(
  _ name: String, _ imports: String, in path: String? = nil, and settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies(imports), path: path, swiftSettings: strict + settings)
}

let modules = [pure, platform, adapters, runtime].joined().map { name, imports in
  target(name, imports, and: calculating.contains(name) ? optimized : [])
}

let parser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let godwit: [Target] = program.map {
  .executableTarget(name: $0, dependencies: dependencies($1) + [parser], swiftSettings: strict)
}

let support = supports.map { target($0, $1, in: "Tests/Support/\($0)") }

let scripts = ["bench.sh", "comparison.sh", "idle.sh", "measure.sh", "uplink.sh", "Bus"]

let programs: [Target] = tools.map { tool, imports in
  let words = tool.split(separator: " ").map(String.init)
  return .executableTarget(
    name: words[0], dependencies: dependencies(imports), path: "Tests/\(words[1])",
    exclude: words[1] == "Benchmarks" ? scripts : [], swiftSettings: strict)
}

/// Libraries, so that the tests can feed them too; programs of libFuzzer's when GODWIT_FUZZ is set,
/// as `make fuzz` does.
let fuzzing: [Target] = fuzzed.map { name, imports in
  let path = "Tests/Fuzz/\(name)"
  guard Context.environment["GODWIT_FUZZ"] != nil else {
    return target("Fuzz\(name)", imports + " FuzzInput", in: path)
  }
  return .executableTarget(
    name: "Fuzz\(name)", dependencies: dependencies(imports + " FuzzInput"), path: path,
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"]), .define("FUZZING")])
}

let fuzzInput = [
  target("FuzzInput", "Core GNSS", in: "Tests/Fuzz/Input"),
  target("FuzzVisits", "Records FuzzInput", in: "Tests/Fuzz/Visits"),
]

let tests: [Target] = suites.map {
  .testTarget(name: "\($0)Tests", dependencies: dependencies($1), swiftSettings: strict)
}

let package = Package(
  name: "godwit",
  products: [
    .executable(name: "godwit", targets: ["godwit"]),
    // For the package in Tests/Studies.
    .library(name: "Modules", targets: modules.map(\.name)),
    .library(name: "Supports", targets: support.map(\.name)),
  ],
  dependencies: [
    // Subcommands, help, man page and shell completions, as users of other Swift tools know them.
    // Exactly the version that everything was tested with. It has no dependencies of its own, so
    // this line pins all. No Package.resolved is committed: it would name a revision too, and that
    // of a mirror differs from the public one.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: modules + godwit + libraries + support + programs + fuzzInput + fuzzing + tests)
