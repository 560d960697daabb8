/// A position of a trace file, and where in the file it stands.
public struct TraceRow: Hashable, Sendable {
  /// What is counted to say where it stands. What a receiver has sent may have no lines: there it
  /// is the fixes, as `decode` prints them.
  public enum Unit: String, Sendable { case line, fix }

  public var sample: TraceSample
  /// Counted from 1.
  public let line: Int
  public let unit: Unit
  /// Which of the reader's individuals it is of; nil where the file names none.
  public let individual: UInt16?
  /// Whether it is of an item that tells from when to when it goes: those follow no common order,
  /// and bear each other out.
  public let isOfItem: Bool

  public init(
    _ sample: TraceSample, line: Int, unit: Unit = .line, individual: UInt16? = nil,
    isOfItem: Bool = false
  ) {
    self.sample = sample
    self.line = line
    self.unit = unit
    self.individual = individual
    self.isOfItem = isOfItem
  }

  /// For people.
  public var place: String { "\(unit.rawValue) \(line)" }
}

/// The people, animals or devices that one file has positions of, by what it calls them.
public struct TraceIndividuals: Equatable, Sendable {
  /// How a file keeps them apart.
  public enum Kind: Sendable {
    /// By a column, or a key: whatever its times are, these are several.
    case named
    /// By tracks. Those of one person follow one another.
    case tracks
  }

  /// Of a hostile file only so many are kept apart; all others are the last one.
  private static let most = 1000
  private static let longestName = 60  // bytes

  public private(set) var names: [String] = []
  public let kind: Kind
  /// A trace has long runs of one.
  private var newest: [UInt8] = []
  private var newestIndex: UInt16 = 0

  init(_ kind: Kind) { self.kind = kind }

  /// What the individual that a user names is called here.
  static func name(_ name: String) -> String { text(name.utf8) }

  private static func text(_ name: some Collection<UInt8>) -> String {
    String(decoding: name.prefix(longestName), as: UTF8.self)
  }

  mutating func index(of name: some Collection<UInt8>) -> UInt16 {
    let bytes = name.prefix(Self.longestName)
    if newest.elementsEqual(bytes), !names.isEmpty { return newestIndex }
    newest = Array(bytes)
    let text = Self.text(newest)
    if let known = names.firstIndex(of: text) {
      newestIndex = UInt16(known)
    } else {
      newestIndex = add(text)
    }
    return newestIndex
  }

  /// One more, whatever the others are called.
  mutating func add(_ name: String) -> UInt16 {
    if names.count < Self.most { names.append(name) }
    return UInt16(names.count - 1)
  }

  /// What a track is called may stand behind its beginning.
  mutating func rename(_ index: UInt16, to name: [UInt8]) {
    guard Int(index) < names.count, !name.isEmpty else { return }
    names[Int(index)] = Self.text(name)
  }
}
