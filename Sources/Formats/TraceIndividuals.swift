import Core

/// The people, animals or devices that one file has positions of, by what it calls them.
public struct TraceIndividuals: Equatable, Sendable {
  /// How a file keeps them apart.
  public enum Kind: Sendable {
    /// By a column, or a key: whatever its times are, these are several.
    case named
    /// By tracks. Those of one person follow one another.
    case tracks
  }

  /// Of a hostile file only so many are kept apart: they take about 10 MB.
  static let most = 50_000
  /// The index of what is none of them, because there are more.
  static let beyond = UInt16.max
  private static let longestName = 60  // bytes

  /// In the order of the file; an empty one stands for what says nothing of whose it is.
  public private(set) var names: [String] = []
  /// Whether the file has more than `names`.
  public private(set) var areMore = false
  public private(set) var kind: Kind
  private var indices: [String: UInt16] = [:]
  /// A trace has long runs of one.
  private var newest: [UInt8]?
  private var newestIndex: UInt16 = 0

  init(_ kind: Kind) { self.kind = kind }

  /// Whether it says of any position whose it is.
  var nameAny: Bool { names.contains { !$0.isEmpty } }

  /// How many there are, for people.
  var count: String { areMore ? "more than \(names.count)" : "\(names.count)" }

  /// What the individual that a user names is called here.
  static func name(_ name: String) -> String { text(name.utf8) }

  private static func text(_ name: some Collection<UInt8>) -> String {
    String(decoding: name.prefix(longestName), as: UTF8.self)
  }

  /// Nil: it is none of those that are kept apart.
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

  /// What may be numbers of tracks at first are individuals once anything names some.
  mutating func note(_ kind: Kind) { if kind == .named { self.kind = .named } }

  /// One more, whatever the others are called.
  mutating func add(_ name: String) -> UInt16 {
    guard names.count < Self.most else {
      areMore = true
      return Self.beyond
    }
    names.append(name)
    return UInt16(names.count - 1)
  }

  /// What a track is called may stand behind its beginning.
  mutating func rename(_ index: UInt16, to name: [UInt8]) {
    guard index != Self.beyond, !name.isEmpty else { return }
    names[Int(index)] = Self.text(name)
  }

  // MARK: What they are called

  /// The names of the columns that name them, the better ones first, without case, spaces and
  /// punctuation.
  static let columns = [
    "individuallocalidentifier", "individualid", "individual", "uid", "userid", "user", "deviceid",
    "animalid", "animalname", "animal", "birdid", "bird", "driverid", "driver", "person", "device",
    "devicename", "imei", "mmsi", "vehicleid", "vehicle", "licenseplate", "licenceplate",
    "collarid", "taglocalidentifier", "tagid", "tid", "trackid", "id",
  ]
  /// What may number the tracks of one, or even rows, as well as name several.
  private static let weakColumns = ["trackid", "id"]
  private static let ranks = Dictionary(
    uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })

  static func kind(ofColumn name: String) -> Kind { weakColumns.contains(name) ? .tracks : .named }

  /// Whose something is by the best of its properties; nil: they do not say.
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

  /// Words, or a number.
  static func name(in value: JSONValue) -> String? {
    value.string ?? value.number.map { JSONValue.number($0).text }
  }
}
