import RadioSignals
import Core

/// From what BlueZ says of the devices around to the beacons among them.
struct DeviceReader {
  /// So many answers are waited for at a time: in a crowd the others are heard again.
  private static let mostQuestions = 8
  /// A strength that nobody knows: as BlueZ writes it.
  static let unknownStrength: DecibelMilliwatts = 127
  /// The tags of questions.
  static let firstTag = 1000

  enum Finding {
    case beacon(BeaconFrame, DecibelMilliwatts)
    /// Something that is none, or not known to be one.
    case other
    /// Nothing that was heard now.
    case nothing
  }

  private struct Question {
    var path: String
    /// A monitor has found it, and it counts whenever it was heard.
    var isFound: Bool
  }

  private var book = KnownBeacons()
  private var questions: [Int: Question] = [:]
  private var lastTag = DeviceReader.firstTag
  /// What a monitor has found.
  private var found: [String: BeaconIdentity] = [:]

  // MARK: What is heard

  /// - Parameter properties: a message whose next are properties of that device, as far as they
  ///   have changed.
  mutating func changed(_ properties: BusMessage, at path: String, ask: (Int) -> Void) -> Finding {
    let device = ScannedDevice(properties)
    guard device.isHeard else { return .nothing }
    if let frame = device.frame { book.note(.beacon(frame), at: path) }
    switch book[path] {
    case .beacon(let frame): return .beacon(frame, device.strength ?? Self.unknownStrength)
    case .other: return .other
    case nil:
      self.ask(path, isFound: false, ask)
      return .other
    }
  }

  /// - Parameter properties: all of a device that is new.
  mutating func appeared(_ properties: BusMessage, at path: String) -> Finding {
    let device = ScannedDevice(properties)
    book.note(device.frame.map { .beacon($0) } ?? .other, at: path)
    guard device.isHeard else { return .nothing }
    return device.frame.map { .beacon($0, device.strength ?? Self.unknownStrength) } ?? .other
  }

  // MARK: What monitors find

  mutating func foundByMonitor(_ path: String, ask: (Int) -> Void) {
    self.ask(path, isFound: true, ask)
  }

  /// - Returns: nil: it was none that counts.
  mutating func lostByMonitor(_ path: String) -> BeaconIdentity? {
    for (tag, question) in questions where question.path == path { questions[tag]?.isFound = false }
    guard let beacon = found.removeValue(forKey: path) else { return nil }
    // Another address may stand for the same beacon.
    return found.values.contains(beacon) ? nil : beacon
  }

  func hasFound(_ beacon: BeaconIdentity) -> Bool { found.values.contains(beacon) }

  mutating func forgetMonitors() { found = [:] }

  // MARK: Answers

  /// - Returns: what a monitor has found.
  mutating func answered(_ properties: BusMessage, tag: Int) -> Finding {
    guard let question = questions.removeValue(forKey: tag) else { return .nothing }
    let device = ScannedDevice(properties)
    book.note(device.frame.map { .beacon($0) } ?? .other, at: question.path)
    guard question.isFound, let frame = device.frame else { return .nothing }
    found[question.path] = frame.beacon
    return .beacon(frame, device.strength ?? Self.unknownStrength)
  }

  mutating func refused(tag: Int) { questions[tag] = nil }

  mutating func gone(_ path: String) { book.forget(path) }

  mutating func forgetAll() { self = DeviceReader() }

  private mutating func ask(_ path: String, isFound: Bool, _ ask: (Int) -> Void) {
    if let tag = questions.first(where: { $0.value.path == path })?.key {
      if isFound { questions[tag]?.isFound = true }
      return
    }
    // What a monitor has found is found once.
    guard isFound || questions.count < Self.mostQuestions else { return }
    lastTag += 1
    questions[lastTag] = Question(path: path, isFound: isFound)
    ask(lastTag)
  }
}
