import Delivery
import Core
import Records
import TestSupport

/// Generated batches of boards: records of all kinds with any possible value in their columns,
/// including values that no board of this version sends.
struct RandomBatches {
  private var random: SplitMix
  private static let words = [
    "scheduled", "", "Grüße, 北京", "it's \"so\"; DROP TABLE", "\\x00", "😀",
  ]

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// A stream's records in the order of their numbers.
  mutating func stream(_ count: Int) -> [CollectedRecord] {
    (1...count).map { record(Int64($0)) }
  }

  /// Its batches in any order, with repetitions and overlaps, until they cover all of it.
  mutating func batches(of records: [CollectedRecord], stream: String) -> [CollectedBatch] {
    var batches: [CollectedBatch] = []
    var begin = 0
    while begin < records.count {
      let end = min(records.count, begin + Int.random(in: 1...12, using: &random))
      let early = max(0, begin - Int.random(in: 0...4, using: &random))
      batches.append(CollectedBatch(stream: stream, Array(records[early..<end])))
      begin = end
    }
    batches += batches.filter { _ in Bool.random(using: &random) }
    batches.shuffle(using: &random)
    return batches
  }

  mutating func shuffled<Item>(_ items: [Item]) -> [Item] { items.shuffled(using: &random) }

  private mutating func record(_ sequence: Int64) -> CollectedRecord {
    let layers = CollectionEntry.layers
    let layer = layers[Int.random(in: 0..<layers.count, using: &random)]
    // Few ids, so that most are changed and withdrawn repeatedly.
    let id = Int64.random(in: 1...4, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return CollectedRecord(sequence: sequence, layer: layer.name, record: id, .dropped)
    case 1, 2: return CollectedRecord(sequence: sequence, layer: layer.name, record: id, .withdrawn)
    case 3:
      return CollectedRecord(
        sequence: sequence, layer: "moods", record: id, .row([("mood", .string(word()))]))
    case 4:
      return CollectedRecord(
        sequence: sequence, layer: layer.name, record: id, .row([("geom", .string("nowhere"))]))
    default:
      return CollectedRecord(
        sequence: sequence, layer: layer.name, record: id, .row(row(of: layer)))
    }
  }

  private mutating func row(of layer: TableLayout) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = []
    for column in layer.columns where column.isRequired || Bool.random(using: &random) {
      members.append((column.name, value(column.type)))
    }
    if Int.random(in: 0..<5, using: &random) == 0 { members.append(("later", .string(word()))) }
    return members
  }

  /// Numbers that every program writes with the same digits.
  private mutating func value(_ type: ColumnLayout.SQLType) -> JSONValue {
    switch type {
    case .integer: .count(Int64.random(in: -1_000_000...1_000_000, using: &random))
    case .flag: .number(Bool.random(using: &random) ? 1 : 0)
    case .double: .number(Double(Int.random(in: -8000...8000, using: &random)) / 8)
    case .text: .string(word())
    case .time:
      .string(
        ISO8601.text(
          UTCInstant(
            nanoseconds: 1_777_593_600_000_000_000
              + Int64.random(in: 0...1_000_000_000, using: &random) * 1_000_000)))
    case .point: position()
    case .multiPolygon:
      .array([.array([.array([position(), position(), position(), position()])])])
    }
  }

  private mutating func position() -> JSONValue {
    .array([
      .number(Double(Int.random(in: -1440...1440, using: &random)) / 8),
      .number(Double(Int.random(in: -720...720, using: &random)) / 8),
    ])
  }

  private mutating func word() -> String {
    Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
  }
}
