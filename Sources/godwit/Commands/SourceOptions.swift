import ArgumentParser
import VirtualDevice

/// The virtual board's sources other than GNSS, for motion and surroundings.
struct SourceOptions: ParsableArguments {
  private static let names = SourceKind.allCases.map(\.rawValue).joined(separator: ",")

  @Option(
    help: ArgumentHelp(
      "Sources of the board beside GNSS: none (default), all, or some of \(names). Network and "
        + "cell also report coarse locations.", valueName: "list"),
    completion: .list(["none", "all"] + SourceKind.allCases.map(\.rawValue)))
  var sources: String?
  @Flag(help: "Short for --sources network,cell.") var coarse = false

  /// The same options as command-line arguments.
  var words: [String] { (sources.map { ["--sources", $0] } ?? []) + (coarse ? ["--coarse"] : []) }

  func kinds() throws(CommandError) -> Set<SourceKind> {
    guard let sources else { return coarse ? [.network, .cell] : [] }
    guard !coarse else {
      throw .wrongUsage("--coarse is short for --sources network,cell: use only one of them")
    }
    if sources == "none" { return [] }
    if sources == "all" { return Set(SourceKind.allCases) }
    var kinds: Set<SourceKind> = []
    for name in sources.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = SourceKind(rawValue: String(name)) else {
        throw .wrongUsage(
          "--sources: there is no source '\(name)'; write none, all, or some of \(Self.names)")
      }
      guard kinds.insert(kind).inserted else {
        throw .wrongUsage(
          "--sources: '\(name)' is named twice; write none, all, or some of \(Self.names)")
      }
    }
    return kinds
  }
}
