/// One test on a real kernel: the actions inside the kernel, and the required results.
protocol Scenario: Sendable {
  var name: String { get }
  /// Whether time jumps while all processes sleep.
  var travelsInTime: Bool { get }
  /// Whether it runs in real time and mostly waits until something counts as silent.
  var isMostlySilence: Bool { get }
  /// Seconds of host time after which the kernel is stopped. This guards against a hang, and is
  /// many times the duration on an idle machine, because continuous integration may share its
  /// machine.
  var limit: Int { get }
  /// Runs inside the kernel, on the bench or on the scenario's own setup. Throws if the board or
  /// the daemon fails a requirement.
  func live() throws -> [Figure]
  func live(on bench: Bench) throws -> [Figure]
  /// Runs on the host, with the results left by the kernel.
  func judge(_ results: Results) throws -> [Figure]
}

extension Scenario {
  func live() throws -> [Figure] { try live(on: Bench()) }
  func live(on bench: Bench) throws -> [Figure] { [] }
  var travelsInTime: Bool { true }
  var isMostlySilence: Bool { false }
  var limit: Int { 180 }
  func judge(_ results: Results) throws -> [Figure] { [] }
}

/// A measured value with its unit and required bounds.
struct Figure: Codable, CustomStringConvertible {
  var what: String
  var value: Double
  var unit: String
  var atMost: Double?
  var atLeast: Double?
  /// Whether it appears in the summary.
  var isHeadline: Bool
  var isShown = true

  init(
    _ what: String, _ value: Double, _ unit: String = "", atMost: Double? = nil,
    atLeast: Double? = nil, isHeadline: Bool = false
  ) {
    self.what = what
    self.value = value
    self.unit = unit
    self.atMost = atMost
    self.atLeast = atLeast
    self.isHeadline = isHeadline
  }

  /// Needed only for the summary.
  static func fact(_ what: String, _ value: Double) -> Figure {
    var fact = Figure(what, value)
    fact.isShown = false
    return fact
  }

  /// Bounds on both sides of zero.
  init(
    _ what: String, _ value: Double, _ unit: String = "", within bound: Double,
    isHeadline: Bool = false
  ) {
    self.init(what, value, unit, atMost: bound, atLeast: -bound, isHeadline: isHeadline)
  }

  /// NaN is within no bound.
  var isKept: Bool {
    (atMost.map { value <= $0 } ?? true) && (atLeast.map { value >= $0 } ?? true)
  }

  var description: String {
    let digits = value == value.rounded() || value.magnitude >= 1000 ? 0 : 3
    let number = String(format: "%.\(digits)f", value)
    let bounds = [atLeast.map { "at least \($0)" }, atMost.map { "at most \($0)" }]
    let broken = isKept ? "" : " (must be \(bounds.compactMap { $0 }.joined(separator: ", ")))"
    return "\(what) \(number)\(unit.isEmpty ? "" : " ")\(unit)\(broken)"
  }
}

/// A violated requirement.
struct LabFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw LabFailure(message()) }
}

extension Optional {
  func required(_ message: @autoclosure () -> String) throws -> Wrapped {
    guard let self else { throw LabFailure(message()) }
    return self
  }
}
