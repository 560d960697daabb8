import Records
import Core

/// The simulated receiver's arguments: `--name VALUE`.
struct ReceiverOptions {
  /// The device that the daemon opens.
  var link = "/dev/gnss-receiver"
  /// The gadget's end of a USB line, "/dev/ttyGS0", instead of a serial line and a supply line.
  var gadget: String?
  /// gpio-sim's folder of the supply line, with its `value`; may be a link that changes.
  var line = "/run/supply-line"
  /// The kernel's trace of GPIO values, which wakes the receiver when a line changes.
  var trace: String?
  /// The I2C bus with the monitor, "/dev/i2c-0".
  var bus: String?
  /// gpio-sim's folder of a motion sensor's line; nil: the board has none.
  var motion: String?
  var log = "receiver.csv"
  var seed: UInt64 = 1
  /// Whether the board follows a city resident's day; otherwise it stands under open sky.
  var followsDay = false
  var model = ReceiverEnergyModel.ubloxM8
  /// Polling interval of its line when nothing wakes it.
  var look: Seconds = 0.1

  /// The relative variation of the current within a state.
  var swing = 0.0

  /// The rail that the monitor measures.
  var monitoredVoltage: Volts { model.supply }

  init(_ arguments: some Sequence<String>) throws(LabReceiverError) {
    var arguments = arguments.makeIterator()
    while let name = arguments.next() {
      guard let value = arguments.next() else {
        throw LabReceiverError(description: "\(name) takes a value")
      }
      try set(name, value)
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(LabReceiverError) {
    switch name {
    case "--link": link = value
    case "--gadget": gadget = value
    case "--line": line = value
    case "--trace": trace = value
    case "--bus": bus = value
    case "--motion": motion = value
    case "--log": log = value
    case "--truth": followsDay = value == "day"
    case "--seed": seed = UInt64(try number(name, value))
    case "--look": look = Seconds(try number(name, value))
    case "--cold-start": model.coldStart = Seconds(try number(name, value))
    case "--hot-start": model.hotStart = Seconds(try number(name, value))
    case "--warm-start": model.warmStart = Seconds(try number(name, value))
    case "--off-mA": model.off = Amperes(try number(name, value) * 1e-3)
    case "--swing": swing = try number(name, value)
    case "--acquiring-mA": model.acquiring = Amperes(try number(name, value) * 1e-3)
    case "--tracking-mA": model.tracking = Amperes(try number(name, value) * 1e-3)
    default: throw LabReceiverError(description: "there is no argument \(name)")
    }
  }

  private func number(_ name: String, _ value: String) throws(LabReceiverError) -> Double {
    guard let number = Double(value), number >= 0, number < 1e9 else {
      throw LabReceiverError(description: "\(name) takes a number, not \(value)")
    }
    return number
  }
}
