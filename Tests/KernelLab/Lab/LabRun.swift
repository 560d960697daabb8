import Foundation

/// The host's side: boots a kernel per scenario and collects the figures.
struct LabRun {
  private var lab = "Tests/KernelLab"
  private var kernels: [LabKernel: String] = [:]
  private var godwit = ".build/release/godwit"
  private var folder = ".build/kernel-lab"
  private var only: Set<String> = []

  /// - Throws: when an argument is wrong.
  init(_ arguments: [String]) throws {
    var rest = arguments.makeIterator()
    while let name = rest.next() {
      let value = try rest.next().required("\(name) takes a value")
      switch name {
      case "--kernel": kernels[.hardware] = value
      case "--radio": kernels[.radio] = value
      case "--godwit": godwit = value
      case "--folder": folder = value
      case "--only": only.insert(value)
      default:
        throw LabFailure(
          "usage: kernel-lab --kernel FOLDER [--radio FOLDER] "
            + "[--godwit FILE] [--folder FOLDER] [--only SCENARIO]..."
        )
      }
    }
    try require(!kernels.isEmpty, "give a kernel: --kernel, --radio or both")
    for kernel in kernels.values {
      try require(
        FileManager.default.isExecutableFile(atPath: kernel + "/linux"),
        "\(kernel) holds no kernel: give the folder that Tests/KernelLab/build-kernel prints")
    }
    godwit = URL(fileURLWithPath: godwit).standardizedFileURL.path
    try require(
      FileManager.default.isExecutableFile(atPath: godwit), "\(godwit) is not there: build it first"
    )
  }

  func run(_ scenarios: [any Scenario]) throws -> Int32 {
    let started = Date()
    let chosen = scenarios.filter { only.isEmpty || only.contains($0.name) }
    try require(!chosen.isEmpty, "there is no such scenario")
    let missing = Set(chosen.map(\.kernel)).subtracting(kernels.keys).map(\.rawValue).sorted()
    try require(
      missing.isEmpty,
      "no kernel is given for the scenarios of \(missing.joined(separator: ", "))")
    var headlines: [String] = []
    var failed: [String] = []
    for scenario in chosen {
      let begun = Date()
      let results = Results(folder: folder + "/" + scenario.name)
      do {
        let figures = try figures(of: scenario, results)
        let broken = figures.filter { !$0.isKept }
        let seconds = String(format: "%.1f", Date().timeIntervalSince(begun))
        print("\(scenario.name): \(broken.isEmpty ? "passed" : "FAILED") in \(seconds) s")
        for figure in figures where figure.isShown { print("  \(figure)") }
        if !broken.isEmpty { failed.append(scenario.name) }
        headlines += figures.filter(\.isHeadline).map(\.description)
      } catch {
        print("\(scenario.name): FAILED: \(error)")
        failed.append(scenario.name)
      }
      // A pipe would keep it back until the end.
      fflush(nil)
    }
    let seconds = Int(Date().timeIntervalSince(started).rounded())
    let verdict = failed.isEmpty ? "passed" : "FAILED (\(failed.joined(separator: ", ")))"
    print(
      "test-kernel: \(verdict): "
        + (["\(chosen.count - failed.count) of \(chosen.count) scenarios"] + headlines
        + ["\(seconds) s"]).joined(separator: ", "))
    return failed.isEmpty ? 0 : 1
  }

  private func figures(of scenario: any Scenario, _ results: Results) throws -> [Figure] {
    try? FileManager.default.removeItem(atPath: results.folder)
    try FileManager.default.createDirectory(
      atPath: results.folder, withIntermediateDirectories: true)
    let code = try boot(scenario, results)
    if code != 0 {
      throw LabFailure(
        (code == 125 ? "the kernel gave no result" : results.tail("output"))
          + "\n--- the daemon's last words\n\(results.tail("daemon.log"))"
          + "\n--- everything is in \(results.folder)")
    }
    return try results.figures() + scenario.judge(results)
  }

  private func boot(_ scenario: any Scenario, _ results: Results) throws -> Int32 {
    let kernel = try kernels[scenario.kernel].required("\(scenario.name) has no kernel")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: lab + "/boot")
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL.path
    process.arguments =
      (scenario.travelsInTime ? ["--time-travel"] : [])
      + ["--limit", String(scenario.limit), kernel, results.folder]
      + ["env", "LAB_GODWIT=\(godwit)", own, "guest", scenario.name]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
