import ArgumentParser
import VirtualDevice

/// The virtual board's sources other than GNSS, for motion and surroundings.
struct SourceOptions: ParsableArguments {
  private static let names = SourceKind.allCases.map(\.rawValue).joined(separator: ",")

  @Option(
    help: ArgumentHelp(
      "What the board has beside GNSS: none (if not given), all, or some of \(names). Network and "
        + "cell give rough locations, too.", valueName: "list"),
    completion: .list(["none", "all"] + SourceKind.allCases.map(\.rawValue)))
  var sources: String?
  @Flag(help: "Short for --sources network,cell.") var coarse = false

  /// The same options as command-line arguments.
  var words: [String] { (sources.map { ["--sources", $0] } ?? []) + (coarse ? ["--coarse"] : []) }

  func kinds() throws(CommandError) -> Set<SourceKind> {
    guard let sources else { return coarse ? [.network, .cell] : [] }
    guard !coarse else {
      throw .wrongUsage("--coarse is short for --sources network,cell: give one of them")
    }
    if sources == "none" { return [] }
    if sources == "all" { return Set(SourceKind.allCases) }
    var kinds: Set<SourceKind> = []
    for name in sources.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = SourceKind(rawValue: String(name)) else {
        throw .wrongUsage(
          "--sources: there is no source '\(name)'; give none, all, or some of \(Self.names)")
      }
      guard kinds.insert(kind).inserted else {
        throw .wrongUsage(
          "--sources: '\(name)' is given twice; give none, all, or some of \(Self.names)")
      }
    }
    return kinds
  }
}
