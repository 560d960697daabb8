import ArgumentParser
import Records
import Glibc
import Core
import Ports

struct PowerWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the present current continuously.",
    discussion: """
      On a terminal, one line is redrawn, with a plot of the last readings; elsewhere there is one \
      line per reading, with columns separated by tabs, or with --json one object per line.
      """)

  @OptionGroup var power: PowerOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let (monitor, _, _) = try power.source.monitor()
    let interval = Seconds(power.interval ?? 1)
    let isTerminal = !json && isatty(STDOUT_FILENO) == 1
    let sampler = PowerSampler(monitor: monitor, interval: interval, limit: power.limit)
    var statistics = PowerStatistics(period: sampler.period)
    // Uses the width that the figures leave.
    var plot = CurrentPlot(width: max(8, min(120, Self.columns - 78)))
    if !json, !isTerminal {
      try OutputBytes.print(PowerSample.columns.titles.joined(separator: "\t"))
    }
    try sampler.run { result, elapsed in
      switch result {
      case .success(let reading):
        statistics.add(reading)
        plot.add(reading.current)
      case .failure:
        statistics.fail()
        plot.skip()
      }
      if json {
        try OutputBytes.print(PowerJSON.line(result, elapsed))
      } else if isTerminal {
        try OutputBytes.print(
          "\r" + Self.line(result, plot, statistics) + "\u{1b}[K", terminator: "")
      } else {
        try OutputBytes.print(Self.columns(result, elapsed))
      }
    }
    if isTerminal { try OutputBytes.print("") }
  }

  static func columns(_ result: Result<PowerReading, PortError>, _ elapsed: Seconds)
    -> String
  {
    switch result {
    case .success(let reading):
      return PowerSample.columns.cells(of: PowerSample(elapsed: elapsed, reading: reading))
        .joined(separator: "\t")
    case .failure(let error):
      return "\(FixedDecimal.text(elapsed.value, digits: 3))\t# \(error.message)"
    }
  }

  private static func line(
    _ result: Result<PowerReading, PortError>, _ plot: CurrentPlot,
    _ statistics: PowerStatistics
  ) -> String {
    switch result {
    case .failure(let error): return String(error.message.prefix(columns - 1))
    case .success(let reading):
      let current = statistics.current
      let figures =
        "mean \(PowerText.milliamperes(current.mean)), "
        + "\(PowerText.milliamperes(current.minimum)) to "
        + "\(PowerText.milliamperes(current.maximum)) mA"
      let line = [PowerText.reading(reading), plot.text, figures].joined(separator: "  ")
      return String(line.prefix(max(20, columns - 1)))
    }
  }

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// The last currents as one line of block characters, scaled to the highest.
struct CurrentPlot {
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private let width: Int
  private var currents: [Double] = []

  init(width: Int) { self.width = max(0, width) }

  mutating func add(_ current: Amperes) {
    currents.append(max(0, current.value))
    if currents.count > width { currents.removeFirst(currents.count - width) }
  }

  /// A failed reading: a gap.
  mutating func skip() {
    currents.append(.nan)
    if currents.count > width { currents.removeFirst(currents.count - width) }
  }

  var text: String {
    let top = currents.filter(\.isFinite).max() ?? 0
    return String(
      currents.map { current -> Character in
        guard current.isFinite else { return " " }
        guard top > 0 else { return Self.blocks[0] }
        return Self.blocks[min(7, Int(current / top * 8))]
      })
  }
}
