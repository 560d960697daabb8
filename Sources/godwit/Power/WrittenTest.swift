import Config
import Analysis
import Core
import Platform
import VirtualDevice

/// A test protocol on disk, and the resulting plan.
struct WrittenTest {
  let file: SettingsFile
  let test: TestProtocol
  let plan: TestPlan

  init(_ path: String) throws {
    file = try ConfigOptions.read(path, namedBy: "the protocol of the test")
    test = try Configuration<TestProtocol>(settings: file).settings
    var random = SeededRandom(seed: UInt64(test.seed))
    plan = TestPlan(test, using: &random)
  }

  /// Writes every reading of both monitors into one table.
  func write(_ samples: String, of folder: TestFolder) throws {
    if let status = FileStatus(path: samples, followsLinks: false),
      [.regular, .symbolicLink].contains(status.kind)
    {
      throw CommandError.wrongUsage("--samples \(samples): it exists already; name another file")
    }
    let file = try SamplesFile(path: samples)
    for step in plan.steps {
      let recordings = [folder.path(of: step), folder.pathBeside(step)]
      for path in recordings where FileStatus(path: path) != nil {
        try file.add(path, of: step, eventsOf: folder.path(of: step))
      }
    }
    try file.end()
  }

  /// Reads the recordings, writes the report into the same folder, and prints it.
  func report(in folder: TestFolder, json: Bool) throws {
    if let open = plan.steps.first(where: { !folder.hasRecording(of: $0) }) {
      throw CommandError.failed(
        "\(folder.path): \(open.title) is not recorded yet; continue with godwit power test")
    }
    let report = try folder.report(of: test, plan)
    let value = report.json(
      program: "godwit \(Godwit.configuration.version)",
      details: [("test", .string(test.name)), ("protocol_sha256", .string(file.digest))])
    try folder.files(report, value).write()
    try OutputBytes.print(json ? value.text : report.text)
  }
}

extension SettingsFile {
  /// SHA-256, hexadecimal.
  var digest: String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest
  }
}
