import Records
import Core

/// One reading as stored in a recording.
struct RecordingRow {
  let elapsed: Seconds
  let reading: PowerReading

  /// - Parameter figure: returns the value of a column by its name; nil where there is none.
  private init?(_ figure: (String) -> Double?, isBelowFloor: Bool, isNew: Bool) {
    guard let time = figure("time_s"), let current = figure("current_mA"),
      let voltage = figure("voltage_V"), time >= 0, time < 1e9, current.magnitude < 1e6,
      (0..<1e4).contains(voltage)
    else { return nil }
    let uncertainty = figure("current_uncertainty_mA") ?? 0
    guard (0..<1e6).contains(uncertainty) else { return nil }
    elapsed = Seconds(time)
    reading = PowerReading(
      taken: .zero + elapsed, current: Amperes(current / 1000), voltage: Volts(voltage),
      currentUncertainty: Amperes(uncertainty / 1000), isBelowFloor: isBelowFloor,
      isNew: isNew, accumulatedEnergy: figure("accumulated_energy_J").map { Joules($0) },
      accumulatedCharge: figure("accumulated_charge_mAh").map { Coulombs(milliampereHours: $0) })
  }

  init?(_ json: JSONValue) {
    self.init(
      { json[$0]?.number }, isBelowFloor: json["below_floor"]?.bool ?? false,
      isNew: json["new"]?.bool ?? true)
  }

  init?(_ cells: [String: Substring]) {
    self.init(
      { name in cells[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } },
      isBelowFloor: cells["below_floor"] == "1", isNew: cells["new"] != "0")
  }
}

/// The columns of a table.
struct RecordingColumns {
  enum Content {
    case reading(RecordingRow)
    /// `power watch` writes the reason of a failure after a "#".
    case failure
  }

  private let names: [String]
  private let separator: Character

  /// Nil: the line is not the heading of a recording.
  init?(_ line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    separator = text.contains("\t") ? "\t" : ","
    names = text.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    guard ["time_s", "current_mA", "voltage_V"].allSatisfy({ names.contains($0) }),
      Set(names).count == names.count
    else { return nil }
  }

  /// Nil: the row cannot be read.
  func row(_ line: [UInt8]) -> Content? {
    let text = String(decoding: line, as: UTF8.self)
    let cells = text.split(separator: separator, omittingEmptySubsequences: false)
    if cells.count >= 2, cells[1].hasPrefix("#") { return .failure }
    guard cells.count == names.count else { return nil }
    return RecordingRow(Dictionary(uniqueKeysWithValues: zip(names, cells))).map { .reading($0) }
  }

  /// Whether its numbers are written as 0,5, between tabs or in quotes.
  func hasDecimalCommas(_ line: [UInt8]) -> Bool {
    separator == "\t" ? line.contains(UInt8(ascii: ",")) : line.contains(UInt8(ascii: "\""))
  }
}
