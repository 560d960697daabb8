// swift-tools-version:6.0
import PackageDescription

/// Every target is compiled with warnings as errors.
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]

// Every target lists what its files import, no more and no less: `make lint` compares.

/// Names, so that the long lists need no inference: Swift 6.0 takes unreasonable time for it.
func named(_ imports: [String]) -> [Target.Dependency] { imports.map { .byName(name: $0) } }

// MARK: Modules, in the order in which they may import each other

func module(_ name: String, _ imports: [String] = []) -> Target {
  .target(
    name: name, dependencies: named(imports),
    swiftSettings: calculating.contains(name) ? strict + optimized : strict)
}

/// Tests live through months in these: without optimization they would take three times as long.
let calculating: Set<String> = [
  "Quantities", "Statistics", "Geodesy", "Recurrence", "ReceiverProtocols", "Records", "Energy",
  "Fitting", "Positioning", "Places", "Alerts", "Tracking", "Scoring", "VirtualDevice", "SQLite",
]

let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let modules: [Target] = [
  // Units as types; two clocks that cannot be mixed.
  module("Quantities"),
  // JSON, ISO 8601 and tables as text.
  module("Notation", ["Quantities"]),
  // How modules declare what can be set about them, beside their structs.
  module("SettingDeclarations", ["Quantities", "Notation"]),
  // Means of repeated runs, and between what bounds the truth lies.
  module("Statistics", ["Quantities"]),
  // Distances on the Earth.
  module("Geodesy", ["Quantities"]),
  // When something is on: zones of local time, recurrence rules, schedules.
  module("Recurrence", ["Quantities"]),
  // Bytes into fixes and answers, commands into bytes.
  module("ReceiverProtocols", ["Quantities", "Notation", "Geodesy"]),
  // What is stored and exported, and nothing else: the store builds without Tracking.
  module("Records", ["Quantities"]),
  // Charge and energy by the state of the receiver.
  module("Energy", ["Quantities", "Notation", "SettingDeclarations", "Statistics", "Records"]),
  // Power-monitor chips: registers, limits, uncertainty.
  module("MonitorProtocols", ["Quantities", "Energy"]),
  // A receiver's energy model from what was measured, with intervals.
  module("Fitting", ["Quantities", "Notation", "Statistics", "Records", "Energy"]),
  // Where access points and cells are, and the board by them.
  module("Positioning", ["Quantities", "Notation", "Geodesy", "Records"]),
  // Bluetooth beacons: their frames, which of them are near.
  module("Beacons", ["Quantities", "Notation", "SettingDeclarations"]),
  // What is shown at places, by what interests people.
  module("Contents", ["Quantities", "Notation", "Records"]),
  // People's addresses and contacts, and what their messages have in common.
  module("People", ["Quantities", "Notation", "Geodesy"]),
  // Letters that lie at places until whom they are for comes by.
  module("Letters", ["Quantities", "Notation", "Geodesy", "Records", "People"]),
  // Places that people name: where their edges are, and whether the board is within.
  module(
    "Places",
    ["Quantities", "Notation", "Geodesy", "Recurrence", "Records", "Beacons", "Contents"]),
  // Groups that travel with a guide, and meetings.
  module(
    "Groups", ["Quantities", "Notation", "Geodesy", "Records", "People", "Places"]),
  // All that one person exchanges with others, put together.
  module(
    "Correspondence",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "Records", "People", "Letters",
      "Places", "Groups",
    ]),
  // What people want to be told of at places, and of what is parked or lies at anchor.
  module("Alerts", ["Quantities", "Notation", "Geodesy", "Recurrence", "Records", "Places"]),
  // When GNSS is wanted, which fixes to trust, visits, trajectory.
  module(
    "Tracking",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "ReceiverProtocols", "Records",
      "Energy", "Positioning", "Places",
    ]),
  // What stored visits and a stored route are worth, against a truth.
  module("Scoring", ["Quantities", "Statistics", "Geodesy"]),
  // Messages of other programs: OwnTracks, Traccar, Overland, Home Assistant, Prometheus.
  module("Messages", ["Quantities", "Notation"]),
  // Traces, listings and exports.
  module("Formats", ["Quantities", "Notation", "Geodesy", "Records", "Messages"]),
  // Places in the files that people have.
  module(
    "PlaceFiles",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Beacons", "Contents", "Places", "Messages",
      "Formats",
    ]),
  // What is handed on to others: to whom, in which order, and what counts as received.
  module(
    "Delivery",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "Recurrence", "Records",
      "Places", "Messages", "Formats",
    ]),
  // Recordings of a monitor into figures that can be trusted, and into a report.
  module(
    "Laboratory",
    [
      "Quantities", "Notation", "SettingDeclarations", "Statistics", "Energy", "MonitorProtocols",
      "Formats",
    ]),
  // How a receiver is switched, put to sleep and woken.
  module(
    "PowerControl", ["Quantities", "SettingDeclarations", "ReceiverProtocols", "Records", "Energy"]),
  // TOML into settings with their origins.
  module("Config", ["Quantities", "Notation", "SettingDeclarations"]),
  // What a person wrote on an image's boot partition into the files of the system.
  module("Provisioning", ["Notation", "SettingDeclarations", "Config"]),
  // What the outside world offers, as protocols.
  module(
    "Ports",
    [
      "Quantities", "Notation", "Geodesy", "Recurrence", "Records", "Energy", "Positioning",
      "Beacons", "PowerControl", "Delivery",
    ]),
  // What every adapter needs of the system: clock, error text, addresses, small files.
  module("Platform", ["Quantities"]),
  // GPIO lines, for the adapters that have any: which there are, and why one cannot be had.
  module("GpioLines", ["Notation", "PowerControl", "Platform", "CGpiod"]),
  // SQLite's statements and names, for the adapters that keep databases.
  module("SQLite", ["Notation", "Platform", "CSQLite"]),
  // Netlink: the kernel asked, and its notices heard.
  module("Netlink", ["Platform", "CNetlink"]),
  // The system bus, for the adapters that ask services there.
  module("Bus", ["Quantities", "Notation", "Ports", "Platform", "CSystemd"]),
  // Adapters: the outside world behind the ports. They never import each other.
  module(
    "Receivers",
    ["Quantities", "Notation", "SettingDeclarations", "Ports", "Platform", "CGps", "CLinux"]),
  module(
    "PowerSwitch",
    ["Quantities", "Notation", "PowerControl", "Ports", "Platform", "GpioLines", "CGpiod"]),
  // What else than GNSS tells of motion, surroundings and places.
  module(
    "Coarse",
    [
      "Quantities", "Notation", "SettingDeclarations", "Records", "PowerControl", "Ports",
      "Platform", "GpioLines", "Netlink", "Bus", "CGpiod", "CLinux", "CNetlink",
    ]),
  // Bluetooth beacons, heard by BlueZ's service.
  module(
    "Bluetooth",
    ["Quantities", "SettingDeclarations", "Beacons", "Ports", "Platform", "Bus"]),
  module(
    "PowerMonitor",
    [
      "Quantities", "SettingDeclarations", "Energy", "MonitorProtocols", "Ports", "Platform",
      "CLinux",
    ]),
  module(
    "Store",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "Records", "Delivery", "Ports",
      "Platform", "SQLite", "CLinux", "CSQLite",
    ]),
  // What was learnt of access points and cells, and the imported cells, on the disk.
  module(
    "RadioMap",
    [
      "Quantities", "Records", "Formats", "Positioning", "Ports", "Platform", "SQLite",
    ]),
  // A connection to a broker of MQTT.
  module("MQTT", ["Quantities", "Delivery", "Ports", "Platform", "CMosquitto"]),
  // A collection in a database with PostGIS.
  module(
    "PostGIS", ["Quantities", "Notation", "Records", "Delivery", "Ports", "Platform", "CPostgres"]),
  // Requests to web servers, and their answers.
  module("HTTP", ["Quantities", "Delivery", "Ports", "Platform", "CCurl", "CLinux"]),
  // Messages that only those can read who have a passphrase in common.
  module("Sodium", ["Delivery", "Ports", "CSodium"]),
  // Messages that wait for their recipients, on the disk.
  module(
    "Outbox", ["Quantities", "Records", "Delivery", "Ports", "Platform", "SQLite"]),
  // The user's command for an alert: the daemon's side, and that of the process that runs it.
  module(
    "AlertCommand",
    ["Quantities", "Notation", "SettingDeclarations", "Ports", "Platform", "CLinux"]),
  module(
    "VirtualDevice",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Energy", "MonitorProtocols", "Fitting",
      "Beacons", "PowerControl", "Ports",
    ]),
  // The event loop, the store's writer, the control socket.
  module(
    "Runtime",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "ReceiverProtocols", "Records",
      "Energy", "Positioning", "Recurrence", "Beacons", "Contents", "People", "Places",
      "Correspondence", "Alerts", "Tracking", "PlaceFiles", "Delivery", "PowerControl", "Ports",
      "Platform", "CLinux", "CPages", "CSystemd",
    ]),
  // The socket by which the daemon tells the uplink that something is new: both ends.
  module("UplinkSocket", ["Ports", "Platform", "CSystemd"]),
  // One run of the uplink: from the store into the outbox, and from there to whom it is for.
  module(
    "Uplink",
    [
      "Quantities", "Notation", "Recurrence", "Records", "People", "Places", "Correspondence",
      "Messages", "Formats", "Tracking", "PlaceFiles", "Delivery", "Ports", "Platform", "Runtime",
    ]),
  // Everything that can be set, put together from the modules that declare it.
  module(
    "GodwitSettings",
    [
      "Quantities", "Notation", "SettingDeclarations", "ReceiverProtocols", "Energy", "Beacons",
      "Places", "People", "Correspondence", "Tracking", "Delivery", "PowerControl",
      "PowerMonitor", "Receivers",
      "Coarse", "Bluetooth", "Store",
      "AlertCommand", "Runtime",
    ]),
]

// MARK: The program

let program = Target.executableTarget(
  name: "godwit",
  dependencies: [
    "Quantities", "Notation", "SettingDeclarations", "Geodesy", "ReceiverProtocols", "Records",
    "Energy", "Fitting", "Statistics", "Recurrence", "Beacons", "Contents", "Places", "Alerts",
    "People", "Letters", "Groups", "Correspondence",
    "Tracking", "Scoring", "Formats", "PlaceFiles", "Delivery", "MQTT", "HTTP", "Sodium", "Outbox",
    "UplinkSocket",
    "Uplink", "Laboratory", "PowerControl", "Config", "Provisioning", "Ports", "Platform",
    "GpioLines",
    "PowerMonitor", "Receivers", "PowerSwitch", "PostGIS",
    "Coarse", "Bluetooth", "Store", "RadioMap", "AlertCommand", "VirtualDevice", "Runtime",
    "GodwitSettings", "CLinux", "CVersion",
    .product(name: "ArgumentParser", package: "swift-argument-parser"),
  ],
  swiftSettings: strict)

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
  // Calls that may hang, on a thread each: names are looked up and connections made there.
  .target(name: "CAttempt"),
  // Libraries that only those pay for who use them.
  .target(name: "CLoading"),
  // Which pages of the program and its libraries are as on the disk: C's loader tells C alone.
  .target(name: "CPages"),
  // libgps speaks gpsd's socket protocol, through a shim because its structure differs by version.
  .target(name: "CGps", dependencies: ["CAttempt"], linkerSettings: [.linkedLibrary("gps")]),
  // libgpiod is the way to the kernel's GPIO lines; a shim, as versions 1 and 2 share no call.
  .target(name: "CGpiod", linkerSettings: [.linkedLibrary("gpiod")]),
  // libmosquitto speaks MQTT. By its headers only: whoever connects loads it, for with TLS it takes
  // 6 MB, which the daemon has no use for.
  .target(name: "CMosquitto", dependencies: ["CAttempt", "CLoading"]),
  // libcurl speaks HTTP, the same way: 10 MB with all that it brings.
  .target(name: "CCurl", dependencies: ["CLoading"]),
  // libpq speaks PostgreSQL's protocol, for a collector with a database; declared by hand, too.
  .target(name: "CPostgres", dependencies: ["CLoading"]),
  // libsodium seals messages. Loaded by whoever has a passphrase, and declared by hand: five functions.
  .target(name: "CSodium", dependencies: ["CLoading"]),
  // libmnl, 20 kB, keeps netlink's lengths and paddings, which a mistake in would be a hole.
  .systemLibrary(name: "CNetlink", pkgConfig: "libmnl", providers: [.apt(["libmnl-dev"])]),
  // SQLite is the store: the one embedded database that survives power cuts by design.
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  // sd-event is the loop, with systemd's watchdog and readiness notices in it.
  .systemLibrary(
    name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
]

// MARK: What the tests share

func support(_ name: String, _ imports: [String] = []) -> Target {
  .target(
    name: name, dependencies: named(imports), path: "Tests/Support/\(name)", swiftSettings: strict)
}

let supports: [Target] = [
  support("TestSupport", ["Quantities", "Notation"]),
  // For each setting another value that it takes.
  support("ChangedSettings", ["SettingDeclarations", "Config", "GodwitSettings"]),
  // Recordings and labelled traces, which are not part of the project.
  support("RealData"),
  // What stands in for receivers, gpsd and other programs in tests that run in real time.
  support("ReceiverStandIns", ["CLinux"]),
  // Debian's broker as a process of a test's own.
  support("BrokerStandIns", ["Delivery", "Ports", "Platform", "ReceiverStandIns", "TestSupport"]),
  // Debian's PostgreSQL with PostGIS, the same way.
  support("DatabaseStandIns", ["ReceiverStandIns", "TestSupport"]),
  // A message bus of the tests' own, and services on it that python-dbusmock stands in for.
  support("BusStandIns", ["Quantities", "Ports", "Platform", "ReceiverStandIns", "TestSupport"]),
  // Scores what Tracking finds against labelled traces; in the tests and as a program.
  support(
    "LabelledDays",
    [
      "Quantities", "Notation", "ReceiverProtocols", "Records", "Tracking", "Scoring", "Formats",
      "RealData",
    ]),
  // Learns access points on half of simulated days and is tried on the other half; in the tests and
  // as a program.
  support("Neighbourhoods", ["Quantities", "Geodesy", "Records", "Positioning", "VirtualDevice"]),
  // Boards drawn by a seed, measured and fitted; in the tests and as a program.
  support(
    "MadeUpBoards",
    [
      "Quantities", "Records", "Energy", "MonitorProtocols", "Fitting", "ReceiverProtocols",
      "Tracking", "PowerControl", "Ports", "VirtualDevice", "Runtime",
    ]),
  // Landsmann's experiment with phones and boards; in the tests and as a program.
  support(
    "LetterboxExperiment",
    [
      "Quantities", "Geodesy", "ReceiverProtocols", "Energy", "Places", "Tracking", "PowerControl",
      "Ports", "VirtualDevice", "Runtime",
    ]),
  // Stays behind walls, and when they are taken to end; in the tests and as a program.
  support("IndoorStays", ["Quantities", "Geodesy", "Records", "Places", "VirtualDevice"]),
  // What is parked or lies at anchor, and is taken away; in the tests and as a program.
  support(
    "GuardExperiment",
    [
      "Quantities", "Geodesy", "Records", "ReceiverProtocols", "Energy", "Tracking",
      "PowerControl", "Ports", "VirtualDevice", "Runtime",
    ]),
  // Lives among Bluetooth beacons, and what is told of them; in the tests and as a program.
  support(
    "BeaconExperiment",
    [
      "Quantities", "Geodesy", "Records", "ReceiverProtocols", "Energy", "Beacons", "Places",
      "Tracking", "PlaceFiles", "PowerControl", "Ports", "VirtualDevice", "Runtime",
    ]),
  // People with boards and a broker between them, in virtual time.
  support(
    "PeopleExperiment",
    [
      "Quantities", "SettingDeclarations", "Geodesy", "Records", "People", "Correspondence",
      "TestSupport",
    ]),
  // Whole boards that somebody carries, with daemon and store, in virtual time; in the tests and as
  // a program.
  support(
    "CarriedBoards",
    [
      "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy", "People",
      "Letters", "Places", "Groups", "Correspondence", "Tracking", "PlaceFiles", "PowerControl",
      "Ports", "Store", "VirtualDevice", "Runtime", "PeopleExperiment", "TestSupport",
    ]),
  // The kernel laboratory's simulated chips.
  .target(name: "KernelHardware", path: "Tests/KernelLab/Hardware", swiftSettings: strict),
]

// MARK: Tools

func tool(
  _ name: String, in path: String, without scripts: [String] = [],
  _ imports: [String]
) -> Target {
  .executableTarget(
    name: name, dependencies: named(imports), path: path, exclude: scripts, swiftSettings: strict)
}

let tools: [Target] = [
  // Uploads by HTTP in a process of its own, for the tests and for measurements.
  tool(
    "upload-exercise", in: "Tests/Tools/UploadExercise",
    ["Quantities", "Delivery", "Platform", "Ports", "HTTP"]),
  // Measurements; never part of the tests.
  tool(
    "godwit-bench", in: "Tests/Benchmarks",
    without: ["bench.sh", "comparison.sh", "idle.sh", "measure.sh", "uplink.sh", "Bus"],
    [
      "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Places", "Tracking",
      "Formats", "PlaceFiles", "Store", "RadioMap", "VirtualDevice",
    ]),
  // The services that the sources ask, for the daemon that idles with all of them.
  tool("bench-bus", in: "Tests/Benchmarks/Bus", ["BusStandIns"]),
  tool(
    "godwit-score", in: "Tests/Tools/Score",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Tracking", "Scoring", "Statistics",
      "Formats",
      "LabelledDays",
    ]),
  tool(
    "godwit-neighbourhoods", in: "Tests/Tools/Neighbourhoods",
    ["Quantities", "VirtualDevice", "Neighbourhoods"]),
  tool(
    "godwit-fit-study", in: "Tests/Tools/FitStudy",
    ["Quantities", "Tracking", "Fitting", "VirtualDevice", "MadeUpBoards"]),
  tool(
    "godwit-test-study", in: "Tests/Tools/TestStudy",
    ["Quantities", "Notation", "Statistics", "Energy", "Laboratory", "VirtualDevice"]),
  tool(
    "godwit-letterbox-study", in: "Tests/Tools/LetterboxStudy",
    ["Quantities", "Notation", "Tracking", "Formats", "LetterboxExperiment"]),
  tool(
    "godwit-indoor-study", in: "Tests/Tools/IndoorStudy",
    ["Quantities", "IndoorStays", "TestSupport"]),
  tool(
    "godwit-beacon-study", in: "Tests/Tools/BeaconStudy",
    ["Quantities", "Notation", "VirtualDevice", "BeaconExperiment", "TestSupport"]),
  tool(
    "godwit-people-study", in: "Tests/Tools/PeopleStudy",
    ["Quantities", "Notation", "CarriedBoards", "TestSupport"]),
  tool(
    "godwit-guard-study", in: "Tests/Tools/GuardStudy",
    ["Quantities", "Notation", "VirtualDevice", "GuardExperiment", "TestSupport"]),
  // Writes to a store until it is killed, for the tests of StoreTests.
  tool("store-torture", in: "Tests/Tools/StoreTorture", ["Quantities", "Records", "Store"]),
  // The GPIO switch on the simulated chips of a real kernel.
  tool(
    "switch-exercise", in: "Tests/Tools/SwitchExercise",
    ["PowerControl", "Ports", "GpioLines", "PowerSwitch", "KernelHardware"]),
  // The kernel laboratory: runs the daemon inside a real kernel with simulated hardware.
  tool(
    "kernel-lab", in: "Tests/KernelLab/Lab",
    [
      "Quantities", "Notation", "Records", "Beacons", "PowerControl", "Ports", "Coarse",
      "Bluetooth", "Store", "Runtime", "ReceiverStandIns", "TestSupport", "KernelHardware",
    ]),
  tool(
    "lab-receiver", in: "Tests/KernelLab/Receiver",
    ["Quantities", "Records", "Energy", "VirtualDevice", "ReceiverStandIns"]),
]

// MARK: Fuzzing

/// What libFuzzer feeds with bytes, see Tests/Fuzz. A library, so that the tests can feed it too; a
/// program of libFuzzer's when GODWIT_FUZZ is set, as `make fuzz` does.
func fuzz(_ name: String, _ imports: [String]) -> Target {
  let path = "Tests/Fuzz/\(name)"
  guard Context.environment["GODWIT_FUZZ"] != nil else {
    return .target(
      name: "Fuzz\(name)", dependencies: named(imports), path: path, swiftSettings: strict)
  }
  return .executableTarget(
    name: "Fuzz\(name)", dependencies: named(imports), path: path,
    swiftSettings: strict + [.unsafeFlags(["-parse-as-library"]), .define("FUZZING")])
}

let fuzzing: [Target] = [
  .target(
    name: "FuzzInput", dependencies: ["Quantities", "ReceiverProtocols"], path: "Tests/Fuzz/Input",
    swiftSettings: strict),
  .target(
    name: "FuzzVisits", dependencies: ["Records", "FuzzInput"], path: "Tests/Fuzz/Visits",
    swiftSettings: strict),
  fuzz("Receiver", ["Quantities", "Notation", "ReceiverProtocols", "FuzzInput"]),
  fuzz("Gpsd", ["Quantities", "Notation", "ReceiverProtocols", "FuzzInput"]),
  fuzz("Settings", ["Config", "GodwitSettings", "FuzzInput"]),
  fuzz("Boot", ["Config", "Provisioning", "GodwitSettings", "FuzzInput"]),
  fuzz("Cells", ["Quantities", "Records", "Formats", "FuzzInput"]),
  fuzz("Traces", ["Quantities", "Records", "Formats", "FuzzInput"]),
  fuzz("Places", ["Places", "PlaceFiles", "FuzzInput"]),
  fuzz("State", ["Quantities", "ReceiverProtocols", "Tracking", "FuzzInput", "FuzzVisits"]),
  fuzz(
    "Steps",
    ["Quantities", "ReceiverProtocols", "Records", "Energy", "Tracking", "FuzzInput", "FuzzVisits"]),
  fuzz("Requests", ["Notation", "Runtime", "FuzzInput"]),
  fuzz("Messages", ["Quantities", "Notation", "Messages", "Delivery", "FuzzInput"]),
  fuzz("Netlink", ["Netlink", "FuzzInput"]),
  fuzz("Letters", ["People", "Letters", "FuzzInput"]),
  fuzz(
    "People",
    [
      "Quantities", "Notation", "Records", "People", "Groups", "Correspondence", "Runtime",
      "FuzzInput",
    ]),
  fuzz("Beacons", ["Quantities", "Notation", "Beacons", "FuzzInput"]),
  fuzz(
    "Rows",
    [
      "Quantities", "Notation", "Records", "Tracking", "Formats", "Ports", "Store", "FuzzInput",
      "CSQLite",
    ]),
]

// MARK: Tests

/// - Parameter programs: what has to be built before, because the tests run it.
func tests(
  _ name: String, _ imports: [String], running programs: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: named(imports + programs), swiftSettings: strict)
}

let suites: [Target] = [
  tests("Quantities", ["Quantities"]),
  tests("Notation", ["Quantities", "Notation"]),
  tests("SettingDeclarations", ["Quantities", "SettingDeclarations", "Config", "TestSupport"]),
  tests("Statistics", ["Quantities", "Statistics", "VirtualDevice"]),
  tests(
    "Laboratory",
    ["Quantities", "Notation", "Config", "Energy", "Laboratory", "VirtualDevice"]),
  tests("Geodesy", ["Quantities", "Geodesy"]),
  tests("Recurrence", ["Quantities", "Notation", "Recurrence", "TestSupport"]),
  tests(
    "ReceiverProtocols", ["Quantities", "Notation", "ReceiverProtocols", "RealData", "TestSupport"]),
  tests("Records", ["Quantities", "Records", "TestSupport"]),
  tests(
    "Positioning",
    [
      "Quantities", "Geodesy", "Records", "Positioning", "VirtualDevice", "Neighbourhoods",
      "RealData", "TestSupport",
    ]),
  tests("Beacons", ["Quantities", "Notation", "Beacons", "TestSupport"]),
  tests("Contents", ["Quantities", "Notation", "Records", "Contents", "TestSupport"]),
  tests("People", ["Quantities", "Notation", "Geodesy", "People", "TestSupport"]),
  tests(
    "Letters",
    ["Quantities", "Notation", "Geodesy", "Records", "People", "Letters", "TestSupport"]),
  tests(
    "Places",
    [
      "Quantities", "Notation", "Geodesy", "Recurrence", "Records", "Beacons", "Contents", "Places",
      "IndoorStays", "TestSupport",
    ]),
  tests(
    "Groups",
    [
      "Quantities", "Notation", "Geodesy", "Records", "People", "Places", "Groups", "TestSupport",
    ]),
  tests(
    "Correspondence",
    [
      "Quantities", "Notation", "People", "Letters", "Groups", "Correspondence",
      "PeopleExperiment", "TestSupport",
    ]),
  tests(
    "Alerts",
    ["Quantities", "Geodesy", "Recurrence", "Records", "Places", "Alerts", "TestSupport"]),
  tests("Energy", ["Quantities", "Records", "Energy", "TestSupport"]),
  tests("MonitorProtocols", ["Quantities", "MonitorProtocols"]),
  tests("Fitting", ["Quantities", "Records", "Fitting", "MadeUpBoards"]),
  tests(
    "Tracking",
    [
      "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy", "Places",
      "Tracking", "Scoring", "Statistics", "LabelledDays", "TestSupport",
    ]),
  tests("GuardExperiment", ["Quantities", "GuardExperiment"]),
  tests("BeaconExperiment", ["Quantities", "BeaconExperiment"]),
  tests(
    "LetterboxExperiment", ["Quantities", "Geodesy", "Tracking", "LetterboxExperiment"]),
  tests("Scoring", ["Quantities", "Geodesy", "Scoring"]),
  tests("Formats", ["Quantities", "Notation", "Records", "Formats", "RealData", "TestSupport"]),
  tests(
    "PlaceFiles",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Beacons", "Contents", "Places",
      "PlaceFiles", "RealData", "TestSupport",
    ]),
  tests(
    "PowerControl", ["Quantities", "ReceiverProtocols", "Energy", "PowerControl", "TestSupport"]),
  tests(
    "Config",
    [
      "Quantities", "Notation", "SettingDeclarations", "Energy", "Config", "Store",
      "GodwitSettings", "TestSupport",
    ]),
  tests(
    "Provisioning",
    [
      "SettingDeclarations", "Config", "Provisioning", "GodwitSettings", "TestSupport",
    ]),
  tests("Messages", ["Quantities", "Notation", "Messages", "TestSupport"]),
  tests(
    "Delivery",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "Recurrence", "Records",
      "Places", "Messages", "Delivery", "Config", "TestSupport",
    ]),
  tests("Platform", ["Quantities", "Platform", "TestSupport"]),
  tests(
    "Receivers",
    ["Quantities", "Ports", "Platform", "Receivers", "ReceiverStandIns", "TestSupport"]),
  tests("SQLite", ["SQLite", "CSQLite"]),
  tests(
    "HTTP",
    [
      "Quantities", "Notation", "Delivery", "Ports", "Platform", "HTTP", "BrokerStandIns",
      "ReceiverStandIns", "TestSupport",
    ], running: ["upload-exercise"]),
  tests(
    "MQTT",
    [
      "Quantities", "Delivery", "Platform", "MQTT", "BrokerStandIns", "ReceiverStandIns",
      "TestSupport",
    ]),
  tests(
    "Uplink",
    [
      "Quantities", "Notation", "SettingDeclarations", "Geodesy", "Recurrence", "Records", "People",
      "Letters", "Groups", "Correspondence", "Messages", "Places", "PlaceFiles", "Delivery",
      "Config", "Ports", "Platform", "MQTT", "HTTP", "Outbox", "Store", "UplinkSocket", "Runtime",
      "Uplink", "BrokerStandIns", "ReceiverStandIns", "TestSupport",
    ], running: ["godwit"]),
  tests(
    "Outbox",
    [
      "Quantities", "Notation", "Records", "Delivery", "Ports", "Platform", "Outbox", "SQLite",
      "TestSupport",
    ]),
  tests(
    "PostGIS",
    [
      "Quantities", "Notation", "Records", "Delivery", "Ports", "PostGIS", "Store",
      "BrokerStandIns", "DatabaseStandIns", "ReceiverStandIns", "TestSupport",
    ], running: ["godwit"]),
  tests("Sodium", ["Delivery", "Messages", "Ports", "Sodium", "TestSupport", "CSodium"]),
  tests("UplinkSocket", ["Ports", "Platform", "UplinkSocket", "TestSupport"]),
  tests("Netlink", ["Platform", "Netlink", "CNetlink"]),
  tests("GpioLines", ["PowerControl", "Platform", "GpioLines"]),
  tests(
    "Bus",
    ["Quantities", "Platform", "Bus", "BusStandIns", "ReceiverStandIns", "TestSupport"]),
  tests(
    "PowerSwitch",
    ["PowerControl", "Ports", "Platform", "GpioLines", "PowerSwitch", "TestSupport"]),
  tests(
    "Bluetooth",
    [
      "Quantities", "Notation", "Beacons", "Ports", "Bluetooth", "BusStandIns",
    ]),
  tests(
    "Coarse",
    [
      "Quantities", "Records", "PowerControl", "Ports", "Platform", "GpioLines", "Netlink",
      "Coarse", "BusStandIns", "TestSupport", "CNetlink",
    ]),
  tests(
    "PowerMonitor",
    ["Quantities", "Energy", "MonitorProtocols", "Ports", "PowerMonitor", "TestSupport"]),
  tests(
    "Store",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Tracking", "Delivery", "Ports", "Platform",
      "Store", "TestSupport", "CSQLite",
    ],
    running: ["store-torture", "godwit"]),
  tests(
    "RadioMap",
    [
      "Quantities", "Records", "Formats", "Positioning", "Ports", "SQLite", "RadioMap",
      "TestSupport",
    ]),
  tests(
    "AlertCommand",
    ["Quantities", "SettingDeclarations", "Ports", "Platform", "AlertCommand", "TestSupport"]),
  tests(
    "VirtualDevice",
    [
      "Quantities", "Notation", "Geodesy", "Records", "Energy", "Beacons", "Ports",
      "ReceiverProtocols", "VirtualDevice",
    ]),
  tests(
    "Runtime",
    [
      "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Energy", "Beacons",
      "Positioning", "People", "Letters", "Groups", "Places", "PlaceFiles", "Correspondence",
      "Tracking", "Delivery", "PowerControl", "Ports", "Platform", "Runtime", "PeopleExperiment",
      "ReceiverStandIns", "TestSupport",
      "CPages",
    ]),
  tests(
    "GodwitSettings",
    [
      "Notation", "SettingDeclarations", "Config", "GodwitSettings", "ChangedSettings",
      "TestSupport",
    ]),
  tests(
    "godwit",
    [
      "Quantities", "Notation", "Geodesy", "ReceiverProtocols", "Records", "Positioning", "Energy",
      "Recurrence", "Beacons", "Contents", "People", "Letters", "Places", "Alerts", "Groups",
      "Correspondence", "Delivery",
      "Tracking", "Formats", "PlaceFiles", "Laboratory", "PowerControl", "Config", "Ports",
      "Platform", "GpioLines", "Coarse", "Store", "RadioMap", "AlertCommand", "SettingDeclarations",
      "Scoring", "VirtualDevice", "Runtime", "GodwitSettings", "godwit", "ChangedSettings",
      "PeopleExperiment", "CarriedBoards", "ReceiverStandIns", "RealData", "TestSupport",
    ]),
  // The daemon as a process of its own, with receivers, gpsd and systemd's sockets around it.
  tests(
    "Daemon",
    [
      "Notation", "Letters", "Groups", "Config", "Runtime", "GodwitSettings", "ReceiverStandIns",
      "BrokerStandIns", "TestSupport", "CLinux",
    ], running: ["godwit"]),
  // Replays the seeds of the fuzzers and what they have found.
  tests(
    "Fuzz",
    [
      "FuzzInput", "FuzzCells", "FuzzReceiver", "FuzzGpsd", "FuzzSettings", "FuzzBoot",
      "FuzzTraces", "FuzzPlaces",
      "FuzzState", "FuzzSteps", "FuzzRequests", "FuzzRows", "FuzzNetlink", "FuzzMessages",
      "FuzzLetters", "FuzzPeople", "FuzzBeacons",
    ]),
  // Classes of all modules that own something, opened and let go again and again.
  tests(
    "Ownership",
    [
      "Quantities", "Records", "Ports", "Platform", "Netlink", "Bus", "Receivers", "Coarse",
      "PowerMonitor", "Store", "RadioMap", "MQTT", "PostGIS", "HTTP", "Outbox",
      "UplinkSocket", "AlertCommand", "Runtime", "ReceiverStandIns", "TestSupport", "CSQLite",
    ]),
  // The rules of docs/architecture.md, asked of the sources.
  tests("Architecture", []),
]

let targets: [[Target]] = [modules, [program], libraries, supports, tools, fuzzing, suites]

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
