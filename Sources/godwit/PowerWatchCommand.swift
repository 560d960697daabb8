import ArgumentParser
import Config
import Energy
import Glibc
import Notation
import Ports
import Quantities

struct PowerWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "The present current, live.",
    discussion: """
      On a terminal one line that is drawn anew, with a plot of the last readings; elsewhere one \
      line a reading, its columns apart by tabs; with --json one object a line.
      """)

  @OptionGroup var power: PowerOptions
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let (monitor, _, _) = try power.monitor()
    let interval = Seconds(power.interval ?? 1)
    let isTerminal = !json && isatty(STDOUT_FILENO) == 1
    let sampler = PowerSampler(monitor: monitor, interval: interval, limit: power.limit)
    var statistics = PowerStatistics(period: sampler.period)
    // What the figures leave of the line.
    var plot = CurrentPlot(width: max(8, min(120, Self.columns - 78)))
    if !json, !isTerminal {
      try OutputBytes.print(Self.columnNames.joined(separator: "\t"))
    }
    try sampler.run { result, elapsed in
      switch result {
      case .success(let reading):
        statistics.take(reading)
        plot.take(reading.current)
      case .failure:
        statistics.fail()
        plot.skip()
      }
      if json {
        try OutputBytes.print(PowerJSON.line(result, elapsed).text)
      } else if isTerminal {
        try OutputBytes.print(
          "\r" + Self.line(result, plot, statistics) + "\u{1b}[K", terminator: "")
      } else {
        try OutputBytes.print(Self.columns(result, elapsed))
      }
    }
    if isTerminal { try OutputBytes.print("") }
  }

  static let columnNames = [
    "time_s", "current_mA", "current_uncertainty_mA", "voltage_V", "power_mW", "below_floor", "new",
  ]

  static func columns(_ result: Result<PowerReading, PowerMonitorError>, _ elapsed: Seconds)
    -> String
  {
    let time = FixedDecimal.text(elapsed.value, digits: 3)
    guard case .success(let reading) = result else {
      if case .failure(let error) = result { return "\(time)\t# \(error.message)" }
      return time
    }
    return [
      time, FixedDecimal.text(reading.current.value * 1000, digits: 4),
      FixedDecimal.text(reading.currentUncertainty.value * 1000, digits: 4),
      FixedDecimal.text(reading.voltage.value, digits: 4),
      FixedDecimal.text(reading.power.value * 1000, digits: 3),
      reading.isBelowFloor ? "1" : "0", reading.isNew ? "1" : "0",
    ].joined(separator: "\t")
  }

  private static func line(
    _ result: Result<PowerReading, PowerMonitorError>, _ plot: CurrentPlot,
    _ statistics: PowerStatistics
  ) -> String {
    switch result {
    case .failure(let error): return String(error.message.prefix(columns - 1))
    case .success(let reading):
      let current = statistics.current
      let figures =
        "mean \(PowerText.milliamperes(current.mean)), "
        + "\(PowerText.milliamperes(current.least)) to \(PowerText.milliamperes(current.most)) mA"
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
