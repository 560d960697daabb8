import Config
import Formats
import GodwitSettings
import Core
import GNSS
import Runtime
import VirtualDevice

/// The result of a run over a recording: the run's own figures, and what could not be read in the
/// recording. A run over part of a file must not look like one over all of it.
struct TraceSummary {
  let run: RunSummary
  let provenance: Provenance
  /// What could not be read in the trace; nil without one, or where the decoder counts.
  var losses: TraceLosses?
  /// What was done to the trace; nil without one that was looked through.
  var findings: TraceFindings?
  /// The dates of a receiver's recording that were skipped; nil without one.
  var wrongDates: RowCount?
  /// How many first dates of a recording were put right; nil without one.
  var datesCorrected: Int?
  /// How many positions of a recording were left out, because its time goes back before them; nil
  /// without one.
  var earlierLeftOut: Int?
  /// What else is to be told of the recording.
  var remarks: [String] = []
  /// What was assumed of the sky; nil where the truth tells it.
  var sky: String?
  /// What the truth made of the trace's holes; nil without one.
  var holes: TraceHoles?
  /// What no schedule could have done without; nil if not wanted.
  var bound: BoundReport?
  /// What the run has found out of its truth; nil if not wanted.
  var score: ScoreReport?
  /// Nil: nobody asked for its curve.
  var charge: SimulatedCharge?
  /// Nil: the board had no radio for beacons, or there were none.
  var beacons: SimulatedBeaconsReport?
  /// What switched the virtual board's receiver; nil for a recording.
  var virtualSwitch: VirtualSwitchReport?

  var json: JSONValue {
    guard case .object(let members) = run.json else { return run.json }
    let own: [(String, JSONValue)] =
      TraceFindings.json(findings, losses, wrongDates: wrongDates) + [
        ("trace_dates_corrected", .count(datesCorrected)),
        ("trace_earlier_left_out", .count(earlierLeftOut)), ("sky", .text(sky)),
        ("provenance", provenance.json),
      ] + (holes?.members ?? [])
    var all: [(String, JSONValue)] = members.map { ($0.name, $0.value) }
    all += virtualSwitch?.members ?? []
    if let beacons { all.append(beacons.member) }
    all += own
    all += bound?.members ?? []
    all += score?.members ?? []
    if let charge { all.append(charge.member) }
    return .object(all)
  }

  var text: String {
    let parts: [String?] = [beacons?.text, virtualSwitch?.text, bound?.text, score?.text]
    var lines = [run.text]
    for part in parts { if let part { lines += ["", part] } }
    return (lines + sentences).joined(separator: "\n")
  }

  private var sentences: [String] {
    (findings?.sentences(losses) ?? []) + remarks + (holes?.sentences ?? [])
  }
}

extension TraceHoles {
  var members: [(String, JSONValue)] {
    [
      ("holes_taken_for_stays", .count(stays)),
      ("holes_taken_for_stays_s", .rounded(timeInStays.value, digits: 1)),
      ("holes_unknown", .count(unknown)),
      ("holes_unknown_s", .rounded(timeUnknown.value, digits: 1)),
    ]
  }

  var sentences: [String] {
    var sentences: [String] = []
    if stays > 0 {
      sentences.append(
        "\(Counted.text(stays, "hole")) of the trace, \(timeInStays.inWords) in all, "
          + "\(stays == 1 ? "is" : "are") taken for rest, because it goes on nearby")
    }
    if unknown > 0 {
      sentences.append(
        "where the board was in \(Counted.text(unknown, "hole")) of the trace, "
          + "\(timeUnknown.inWords) in all, is not known: it has no sky there, and no stay")
    }
    return sentences
  }
}

extension StandardError {
  /// On standard error it is visible when the figures go into a file.
  static func tell(_ sentences: [String], of path: String) {
    for sentence in sentences { tell("\(path): \(sentence)") }
  }
}

/// What switched the receiver of the virtual board: an energy of 400 J a day is not to be mistaken
/// for that of a receiver which nothing can switch.
struct VirtualSwitchReport {
  let kind: PowerSwitchSettings.Kind
  let origin: Origin
  /// Whether anything can put the receiver to rest.
  let canRest: Bool

  init(_ configuration: Configuration<Settings>, _ composition: Composition) {
    kind = composition.settings.powerSwitch.kind
    origin = configuration.origin(of: "power_switch.kind")
    canRest = PowerSequencer(composition.wiring).capabilities.canRest
  }

  var effective: PowerSwitchSettings.Kind { origin == .builtIn ? .virtual : kind }

  var members: [(String, JSONValue)] {
    [
      ("power_switch", .string(effective.rawValue)),
      ("power_switch_origin", .string(origin.description)),
    ]
  }

  var text: String {
    guard origin != .builtIn else {
      return "power switch: an ideal one in the receiver's supply, because no setting names one "
        + "(power_switch.kind)"
    }
    return "power switch: \(kind.rawValue), as set (\(origin))"
      + (canRest ? "" : "; nothing can put the receiver to rest, so it is on all the time")
  }
}

/// A run's energy beside the least that any schedule could have used.
struct BoundReport {
  let bound: EnergyBound
  /// Of the run: receiver and sources.
  let energy: Joules

  var members: [(String, JSONValue)] {
    [
      ("bound_clairvoyant_J", .rounded(bound.clairvoyant.value, digits: 3)),
      ("bound_perfect_motion_J", .rounded(bound.perfectMotion.value, digits: 3)),
      ("energy_per_bound_clairvoyant", Self.multiple(energy, of: bound.clairvoyant)),
      ("energy_per_bound_perfect_motion", Self.multiple(energy, of: bound.perfectMotion)),
    ]
  }

  /// Null where nothing at all had to be spent.
  private static func multiple(_ energy: Joules, of bound: Joules) -> JSONValue {
    bound > 0 ? .rounded(energy / bound, digits: 4) : .null
  }

  var text: String {
    func line(_ name: String, _ bound: Joules) -> String {
      let least = "least energy of \(name): \(FixedDecimal.text(bound.value, digits: 2)) J"
      guard bound > 0 else { return least }
      return least + "; this run used \(FixedDecimal.text(energy / bound, digits: 2)) times as much"
    }
    return """
      \(line("any schedule", bound.clairvoyant))
      \(line("one that knows its motion, but no future", bound.perfectMotion))
      """
  }
}
