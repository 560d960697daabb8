import GuardExperiment
import Core
import TestSupport
import VirtualDevice

/// `godwit-guard-study [FIRST-SEED [SEEDS [WEEKS]]]`: the delay of an alarm when a parked or
/// anchored object is taken away, the number of false alarms, and the energy of a night of
/// guarding, all in virtual time. `WEEKS` is the length of the false-alarm runs, one after the
/// other by seed.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 20
let weeks = numbers.count > 2 ? max(numbers[2], 1) : 4

struct Place {
  let words: String
  let sky: Reception
}

let open = Place(words: "open sky", sky: .open)
let street = Place(words: "street", sky: .street)

func words(_ hasMotion: Bool) -> String { hasMotion ? "yes" : "no" }

print("seeds \(first)...\(first + count - 1), a day each: from the first movement to the alarm")
print(
  "| taken | where | motion sensor | alarms | after the movement, median / p95 "
    + "| after leaving the circle | false |")
print("|---|---|---|---|---|---|---|")
for scene in GuardScene.allCases where scene.isTaken {
  for place in scene.isBoat ? [open] : [open, street] {
    for hasMotion in [true, false] {
      let trials = (first..<first + count).map {
        GuardTrial(scene, length: .days(1), sky: place.sky, hasMotion: hasMotion, seed: $0)
      }
      let told = trials.compactMap(\.delayOfMovement)
      print(
        "| \(scene.rawValue) | \(place.words) | \(words(hasMotion)) | \(told.count) of \(count) "
          + "| \(Delays(told).medianAndP95) "
          + "| \(Delays(trials.compactMap(\.delayOfCrossing)).medianAndP95) "
          + "| \(trials.reduce(0) { $0 + $1.falseAlarms }) |")
    }
  }
}

print("\n\(weeks) weeks, one a seed: what nobody takes; a night of 8 hours")
print(
  "| stays | where | motion sensor | false alarms in 30 days | energy of a night, guarded / not "
    + "| GNSS on, guarded / not |")
print("|---|---|---|---|---|---|")
for scene in GuardScene.allCases where !scene.isTaken {
  for place in scene.isBoat ? [open] : [open, street] {
    for hasMotion in [true, false] {
      func run(_ isGuarded: Bool) -> [GuardTrial] {
        (first..<first + weeks).map {
          GuardTrial(
            scene, length: .days(7), sky: place.sky, hasMotion: hasMotion, isGuarded: isGuarded,
            seed: $0)
        }
      }
      let (guarded, free) = (run(true), run(false))
      let time = guarded.reduce(0 as Seconds) { $0 + $1.duration }
      func night(_ value: Double, _ digits: Int) -> String {
        FixedDecimal.text(value * (.hours(8) / time), digits: digits)
      }
      func sum(_ trials: [GuardTrial], _ part: (GuardTrial) -> Double) -> Double {
        trials.reduce(0) { $0 + part($1) }
      }
      let alarms = guarded.reduce(0) { $0 + $1.falseAlarms }
      print(
        "| \(scene.rawValue) | \(place.words) | \(words(hasMotion)) "
          + "| \(FixedDecimal.text(Double(alarms) * (.days(30) / time), digits: 1)) "
          + "| \(night(sum(guarded) { $0.energy.value }, 1)) / "
          + "\(night(sum(free) { $0.energy.value }, 1)) J "
          + "| \(night(sum(guarded) { $0.on.value }, 0)) / "
          + "\(night(sum(free) { $0.on.value }, 0)) s |")
    }
  }
}
