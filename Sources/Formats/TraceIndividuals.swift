import Core

/// The people, animals or devices in one file, by their names there.
public struct TraceIndividuals: Equatable, Sendable {
  /// How a file keeps them apart.
  enum Kind: Sendable {
    /// By a column, or a key: they are several, even if their times do not overlap.
    case named
    /// By tracks. Those of one person do not overlap.
    case tracks
  }

  /// Limit for a hostile file: they take about 10 MB.
  static let most = 50_000
  /// The index of individuals beyond the limit.
  static let beyond = UInt16.max
  private static let longestName = 60  // bytes

  /// In the order of the file; an empty name stands for positions without one.
  public private(set) var names: [String] = []
  /// Whether the file has more than `names`.
  private(set) var areMore = false
  private(set) var kind: Kind
  private var indices: [String: UInt16] = [:]
  /// A cache, because a trace has long runs of one name.
  private var newest: [UInt8]?
  private var newestIndex: UInt16 = 0

  init(_ kind: Kind) { self.kind = kind }

  /// Whether any position has a name.
  var nameAny: Bool { names.contains { !$0.isEmpty } }

  /// Their number, as text for people.
  var count: String { areMore ? "more than \(names.count)" : "\(names.count)" }

  /// The stored form of a name given by the user.
  static func name(_ name: String) -> String { text(name.utf8) }

  private static func text(_ name: some Collection<UInt8>) -> String {
    String(decoding: name.prefix(longestName), as: UTF8.self)
  }

  /// Nil: beyond the limit.
  func name(of index: UInt16) -> String? { index == Self.beyond ? nil : names[Int(index)] }

  mutating func index(of name: some Collection<UInt8>) -> UInt16 {
    let bytes = name.prefix(Self.longestName)
    if let newest, newest.elementsEqual(bytes) { return newestIndex }
    newest = Array(bytes)
    let text = Self.text(bytes)
    newestIndex = indices[text] ?? add(text)
    if newestIndex != Self.beyond { indices[text] = newestIndex }
    return newestIndex
  }

  /// Possible track numbers become individuals once anything names some.
  mutating func note(_ kind: Kind) { if kind == .named { self.kind = .named } }

  /// Adds one, even if the name exists.
  mutating func add(_ name: String) -> UInt16 {
    guard names.count < Self.most else {
      areMore = true
      return Self.beyond
    }
    names.append(name)
    return UInt16(names.count - 1)
  }

  /// A track's name may come after its beginning.
  mutating func rename(_ index: UInt16, to name: [UInt8]) {
    guard index != Self.beyond, !name.isEmpty else { return }
    names[Int(index)] = Self.text(name)
  }

  // MARK: Names

  /// The names of columns for individuals, the better ones first, without case, spaces and
  /// punctuation.
  static let columns = [
    "individuallocalidentifier", "individualid", "individual", "uid", "userid", "user", "deviceid",
    "animalid", "animalname", "animal", "birdid", "bird", "driverid", "driver", "person", "device",
    "devicename", "imei", "mmsi", "vehicleid", "vehicle", "licenseplate", "licenceplate",
    "collarid", "taglocalidentifier", "tagid", "tid", "trackid", "id",
  ]
  /// These may number the tracks of one individual, or even rows, as well as name several.
  private static let weakColumns = ["trackid", "id"]
  private static let ranks = Dictionary(
    uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })

  static func kind(ofColumn name: String) -> Kind { weakColumns.contains(name) ? .tracks : .named }

  /// The individual by the best of its properties; nil: there is none.
  static func find(in properties: JSONValue) -> (name: String, kind: Kind)? {
    guard case .object(let members) = properties else { return nil }
    var best: (rank: Int, name: String)?
    for member in members {
      guard let rank = ranks[CSVHeader.word(member.name.utf8)], rank <= best?.rank ?? rank,
        let name = name(in: member.value), !name.isEmpty
      else { continue }
      best = (rank, name)
    }
    return best.map { ($0.name, kind(ofColumn: columns[$0.rank])) }
  }

  /// A text, or a number.
  static func name(in value: JSONValue) -> String? {
    value.string ?? value.number.map { JSONValue.number($0).text }
  }
}
