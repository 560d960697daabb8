// swift-tools-version:6.0
import PackageDescription

// The root's table continues here: each target with the targets and products that its files import.
// `Modules` are the program's, `Supports` are what the root's tests share.

/// Experiments in virtual time, below Support; used by the tests and by programs.
let supports: KeyValuePairs<String, String> = [
  // Learns access points on half of the simulated days and is tested on the other half.
  "Neighbourhoods": "Modules",
  // Boards generated from a seed, measured and fitted.
  "MadeUpBoards": "Modules Supports",
  // Landsmann's experiment with phones and boards.
  "LetterboxExperiment": "Modules",
  // Stays in buildings, and when they are considered to end.
  "IndoorStays": "Modules",
  // Parked or anchored objects that are taken away.
  "GuardExperiment": "Modules Supports",
  // Lives among Bluetooth beacons, and the arrivals and departures reported.
  "BeaconExperiment": "Modules Supports",
]

/// Programs that print the tables of docs/results: name, folder below Programs.
let studies: KeyValuePairs<String, String> = [
  "godwit-score Score": "Modules Supports",
  "godwit-neighbourhoods Neighbourhoods": "Modules Neighbourhoods",
  "godwit-fit-study FitStudy": "Modules MadeUpBoards",
  "godwit-test-study TestStudy": "Modules",
  "godwit-letterbox-study LetterboxStudy": "Modules LetterboxExperiment",
  "godwit-indoor-study IndoorStudy": "Modules Supports IndoorStays",
  "godwit-beacon-study BeaconStudy": "Modules Supports BeaconExperiment",
  "godwit-people-study PeopleStudy": "Modules Supports",
  "godwit-guard-study GuardStudy": "Modules Supports GuardExperiment",
]

/// By the support module that they test, below Tests.
let suites: KeyValuePairs<String, String> = [
  "Neighbourhoods": "Modules Neighbourhoods",
  "MadeUpBoards": "Modules MadeUpBoards",
  "LetterboxExperiment": "Modules LetterboxExperiment",
  "IndoorStays": "Modules IndoorStays",
  "GuardExperiment": "Modules GuardExperiment",
  "BeaconExperiment": "Modules BeaconExperiment",
]

// MARK: The package

/// Every target is compiled with warnings as errors.
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]

func dependencies(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map(String.init).map {
    ["Modules", "Supports"].contains($0) ? .product(name: $0, package: "godwit") : .byName(name: $0)
  }
}

let support: [Target] = supports.map {
  .target(
    name: $0, dependencies: dependencies($1), path: "Support/\($0)", swiftSettings: strict)
}

let programs: [Target] = studies.map { study, imports in
  let words = study.split(separator: " ").map(String.init)
  return .executableTarget(
    name: words[0], dependencies: dependencies(imports), path: "Programs/\(words[1])",
    swiftSettings: strict)
}

let tests: [Target] = suites.map {
  .testTarget(name: "\($0)Tests", dependencies: dependencies($1), swiftSettings: strict)
}

let package = Package(
  name: "studies",
  // By its name, whatever the folder of the clone is called.
  dependencies: [.package(name: "godwit", path: "../..")],
  targets: support + programs + tests)
