import Formats
import Glibc
import LetterboxExperiment
import Core
import Tracking

/// `godwit-letterbox-study [FIRST-SEED [SEEDS [FOLDER]]]` repeats the experiment of Landsmann 2013,
/// chapter 5, in virtual time, prints its table, and draws his Figures 5.6 and 5.9 into the folder.
let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 100
let folder = arguments.count > 2 ? arguments.last : nil
let seeds = Array(first..<first + count)

func percent(_ share: Double) -> String { FixedDecimal.text(100 * share, digits: 0) }

func percent(_ spread: Spread) -> String {
  "\(percent(spread.median)) (\(percent(spread.interval.lowerBound)) to "
    + "\(percent(spread.interval.upperBound))) %"
}

/// The median accuracy at the second place, and how often the place was reached.
func reach(_ runs: [LocatedRun]) -> String {
  let accuracies = Spread(runs.compactMap { $0.accuracyAtPlace?.value })
  return "\(FixedDecimal.text(accuracies.median, digits: 0)) m, "
    + "\(runs.count { $0.isReached }) of \(runs.count)"
}

func line(_ result: LetterboxResult) -> String {
  let levels = ProximityLevel.allCases.map { percent(result.share($0)) }
  let current = Spread(result.boards.map { $0.current.value * 1000 }).median
  var cells = [
    result.pace.rawValue, result.rule?.rawValue ?? "best",
    levels.joined(separator: " / ") + " %", reach(result.phones.map(\.located)),
  ]
  cells += PhoneCurrents.all.map { result.rule == nil ? "-" : percent(result.saved(by: $0)) }
  cells += [
    reach(result.boards.map(\.located)), FixedDecimal.text(current, digits: 1) + " mA",
    result.rule == nil ? "-" : percent(result.savedByBoard),
  ]
  return "| " + cells.joined(separator: " | ") + " |"
}

print("seeds \(first)...\(first + count - 1), medians, and what 95 % lie between")
print(
  "| pace | rule | FAR / MEDIUM / CLOSE | phone at the place, reached | iPhone 4 saves "
    + "| iPhone 5 saves | SAM-M8Q at the place, reached | SAM-M8Q draws | SAM-M8Q saves |")
print("|---|---|---|---|---|---|---|---|---|")
var notes: [String] = []
var figures: [Figure] = []
for pace in LetterboxRoute.Pace.allCases {
  for rule in [nil, .published, .corrected] as [ProximityLevel.Rule?] {
    let result = try LetterboxResult(pace, rule: rule, seeds: seeds)
    print(line(result))
    if pace == .walk, rule == .corrected { figures.append(try Figure("5.9", result)) }
    guard pace == .ride, rule == .published else { continue }
    figures.append(try Figure("5.6", result))
    for phone in PhoneCurrents.all {
      let implied = phone.impliedBelowBest(closeShare: result.share(.close)).value * 1000
      let most = phone.mostSaved(farShare: result.share(.far))
      notes.append(
        "\(phone.name): he saved \(percent(phone.claimedSaving)) %, for which FAR and MEDIUM "
          + "together have to draw \(FixedDecimal.text(implied, digits: 0)) mA; were MEDIUM as "
          + "dear as the best, at most \(percent(most)) % could be saved")
    }
  }
}

for note in notes { print(note) }

if let folder {
  for figure in figures { try figure.write(to: folder) }
}

/// The accuracy over the time of a typical run, as in his figures.
struct Figure {
  private let name: String
  private let chart: LineChart

  init(_ name: String, _ result: LetterboxResult) throws {
    self.name = name
    let (pace, rule, seed) = (result.pace, result.rule ?? .corrected, result.typicalSeed)
    let route = LetterboxRoute(pace, seed: seed)
    let board = try BoardTrial(
      on: route, policy: .proximity(ProximitySettings(rule: rule)), seed: seed)
    let runs = [
      ("phone, \(rule.rawValue) rule", PhoneTrial(on: route, rule: rule, seed: seed)),
      ("phone, best", PhoneTrial(on: route, rule: nil, seed: seed)),
    ]
    let passing = Double(route.passing) / 60
    chart = LineChart(
      title: "After Figure \(name): \(pace.rawValue), \(rule.rawValue) rule", x: "time (min)",
      y: "accuracy (m)", isLogarithmic: true,
      lines: runs.map { Self.line($0.0, $0.1.located.accuracies) } + [
        Self.line("SAM-M8Q, \(rule.rawValue) rule", board.located.accuracies),
        LineChart.Line(name: "the place is passed", pieces: [[(passing, 1), (passing, 5000)]]),
      ])
  }

  /// As a step line, without the seconds at which nothing changes.
  private static func line(_ name: String, _ accuracies: [Metres?]) -> LineChart.Line {
    var points: [(x: Double, y: Double)] = []
    for (second, accuracy) in accuracies.enumerated() {
      guard let accuracy else { continue }
      let minute = Double(second) / 60
      if let last = points.last, last.y != accuracy.value { points.append((minute, last.y)) }
      if points.last?.y != accuracy.value || second == accuracies.count - 1 {
        points.append((minute, accuracy.value))
      }
    }
    return LineChart.Line(name: name, pieces: [points])
  }

  func write(to folder: String) throws {
    struct NotWritten: Error { let path: String }
    let path = "\(folder)/letterbox-\(name).svg"
    guard let file = fopen(path, "w") else { throw NotWritten(path: path) }
    let bytes = chart.file
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw NotWritten(path: path) }
  }
}
