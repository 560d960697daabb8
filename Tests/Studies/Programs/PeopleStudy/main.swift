import CarriedBoards
import Core
import TestSupport

/// `godwit-people-study [FIRST-SEED [SEEDS [DAYS [PEOPLE]]]]`: people of one town with whole boards
/// in virtual time, around a broker that loses one message in twenty and fails one connection in
/// ten. The boards are killed every five hours. The runs: no exchange, one letter a day per person,
/// and walks behind a guide at weekends.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 1
let days = numbers.count > 2 ? Int(max(numbers[2], 1)) : 7
let people = numbers.count > 3 ? Int(max(numbers[3], 2)) : 5

print("seeds \(first)...\(first + count - 1), \(people) people, \(days) days each")
var trials: [PeopleTrial] = []
for exchange in PeopleTrial.Exchange.allCases {
  let folder = try ScratchFolder()
  var all = try PeopleTrial(exchange, people: people, days: days, seed: first, in: folder)
  for seed in first + 1..<first + count {
    all.add(try PeopleTrial(exchange, people: people, days: days, seed: seed, in: folder))
  }
  trials.append(all)
}

print(
  "| exchanged | fixes a day and board | kills | letters | met | delivered | told | missed ",
  terminator: "")
print("| elsewhere | receipts | late | median / p95 after arriving |")
print("|---|---|---|---|---|---|---|---|---|---|---|---|")
for (exchange, trial) in zip(PeopleTrial.Exchange.allCases, trials) {
  let boardDays = Double(days * people) * Double(count)
  let letters = trial.letters
  print(
    "| \(exchange.rawValue) | \(FixedDecimal.text(Double(trial.fixes) / boardDays, digits: 1)) "
      + "| \(trial.restarts) | \(letters.written) | \(letters.met) | \(letters.delivered) "
      + "| \(letters.told) | \(letters.missed) | \(letters.elsewhere) | \(letters.receipts) "
      + "| \(letters.delays.count { $0 > 300 }) "
      + "| \(Delays(letters.delays).medianAndP95) |")
}

print(
  "\n| who stayed behind: due | right | repeated | at the edge | false | missed | unheard ",
  terminator: "")
print("| median / p95 |")
print("|---|---|---|---|---|---|---|---|")
for trial in trials where trial.walks.due > 0 {
  let walks = trial.walks
  print(
    "| \(walks.due) | \(walks.right) | \(walks.repeated) | \(walks.edge) | \(walks.wrong) "
      + "| \(walks.missed) | \(walks.unheard) | \(Delays(walks.delays).medianAndP95) |")
}
