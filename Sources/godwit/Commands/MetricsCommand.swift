import ArgumentParser
import Delivery

/// `godwit metrics`: the daemon's figures as Prometheus reads them.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the daemon's metrics in the text format of Prometheus.",
    discussion: """
      For node_exporter's textfile collector, which reads files named *.prom in a folder: run this \
      command from a timer, with --output in that folder. If no daemon answers, the file stays \
      unchanged: monitor its age.
      """)

  @OptionGroup var control: ControlOptions

  @Option(
    help: ArgumentHelp(
      "Output file, written in full or not at all. Default: standard output.", valueName: "file"),
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
