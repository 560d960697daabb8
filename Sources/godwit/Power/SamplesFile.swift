import Formats
import Analysis
import Core

/// All readings of a test as one table (CSV), each with its condition and the receiver's state.
final class SamplesFile {
  private let file: AtomicFile
  private var buffer = Array(Row.columns.csvHeading.utf8)

  init(path: String) throws(FileFailure) { file = try AtomicFile(path: path) }

  /// - Parameters:
  ///   - path: the path of the recording.
  ///   - step: the step of the recording.
  ///   - events: the recording with the events.
  func add(_ path: String, of step: TestPlan.Step, eventsOf events: String) throws {
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    var failure: (any Error)?
    _ = try LabelledRecordings.read(path, eventsOf: events) { [self] reading in
      Row.columns.append(Row(file: name, step: step, read: reading), toCSV: &buffer)
      guard buffer.count > OutputBytes.flushThreshold, failure == nil else { return }
      do {
        try file.write(buffer)
      } catch {
        failure = error
      }
      buffer.removeAll(keepingCapacity: true)
    }
    if let failure { throw failure }
  }

  func end() throws(FileFailure) {
    try file.write(buffer)
    try file.commit()
  }

  private struct Row {
    let file: String
    let step: TestPlan.Step
    let read: RecordedReading

    private var condition: (name: String, round: Int?) {
      switch step.part {
      case .baselineBefore, .baselineAfter: (step.title, nil)
      case .run(let condition, let round): (condition.name, round)
      }
    }

    static let columns = Columns<Row>([
      .text("file", csv: "file") { $0.file },
      .text("condition", csv: "condition") { $0.condition.name },
      .count("round", csv: "round") { $0.condition.round },
      .text("state", csv: "state") { $0.read.state },
      .number("time_s", digits: 6, csv: "time_s") { $0.read.elapsed.value },
      .number("current_mA", digits: 6, csv: "current_mA") {
        $0.read.reading.current.value * 1000
      },
      .number("current_uncertainty_mA", digits: 6, csv: "current_uncertainty_mA") {
        $0.read.reading.currentUncertainty.value * 1000
      },
      .number("voltage_V", digits: 6, csv: "voltage_V") { $0.read.reading.voltage.value },
      .number("power_mW", digits: 6, csv: "power_mW") { $0.read.reading.power.value * 1000 },
      .flag("below_floor", csv: "below_floor") { $0.read.reading.isBelowFloor },
    ])
  }
}
