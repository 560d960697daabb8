import ArgumentParser
import Delivery

/// `godwit metrics`: the daemon's figures as Prometheus reads them.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the daemon's figures as text for Prometheus.",
    discussion: """
      For node_exporter's textfile collector, which reads files that end in .prom from a folder: \
      have a timer run it with --output into that folder. Where no daemon answers, the file stays \
      as it is: its age tells.
      """)

  @OptionGroup var control: ControlOptions

  @Option(
    help: ArgumentHelp(
      "Write this file, complete or not at all, instead of standard output.", valueName: "file"),
    completion: .file(extensions: ["prom"]))
  var output: String?

  func run() throws {
    let text = BoardStatus(try control.query(.status)).prometheus.bytes
    guard let output else {
      return try OutputBytes.print(String(decoding: text, as: UTF8.self), terminator: "")
    }
    try control.options.protected().refuse(output, namedBy: "--output")
    let file = try AtomicFile(path: output)
    try file.write(text)
    try file.commit()
  }
}
