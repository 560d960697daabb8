/// Converts one value to snapshot JSON and back. The snapshot may be damaged.
public struct SnapshotCoding<Value>: Sendable {
  public let json: @Sendable (Value) -> JSONValue
  /// Nil for what `json` cannot have written: the wrong type, out of bounds, missing.
  public let value: @Sendable (JSONValue?) -> Value?

  public init(
    json: @escaping @Sendable (Value) -> JSONValue,
    value: @escaping @Sendable (JSONValue?) -> Value?
  ) {
    self.json = json
    self.value = value
  }

  /// The same JSON for another type that represents the same values.
  public func mapped<Other>(
    to other: @escaping @Sendable (Value) -> Other?, from: @escaping @Sendable (Other) -> Value
  ) -> SnapshotCoding<Other> {
    SnapshotCoding<Other>(json: { json(from($0)) }, value: { value($0).flatMap(other) })
  }
}

extension SnapshotCoding {
  /// A list with a bounded count, in order. One damaged element makes the whole list nil.
  public static func list<Element>(
    _ counts: ClosedRange<Int>, of coding: SnapshotCoding<Element>
  ) -> SnapshotCoding where Value == [Element] {
    SnapshotCoding(
      json: { .array($0.map(coding.json)) },
      value: { list in
        guard let all = list?.array, counts.contains(all.count) else { return nil }
        let values = all.compactMap { coding.value($0) }
        return values.count == all.count ? values : nil
      })
  }
}

extension SnapshotCoding<JSONValue> {
  /// JSON that the owner encodes and decodes itself.
  public static let json = SnapshotCoding(json: { $0 }, value: { $0 })
}

extension SnapshotCoding<UTCInstant> {
  public static let date = SnapshotCoding(
    json: { .string(ISO8601.text($0)) }, value: { $0?.string.flatMap { ISO8601.parse($0) } })
}

extension SnapshotCoding<Bool> {
  public static let flag = SnapshotCoding(json: { .bool($0) }, value: { $0?.bool })
}

extension SnapshotCoding<String> {
  /// - Parameter lengths: in bytes of UTF-8.
  public static func text(_ lengths: ClosedRange<Int>) -> SnapshotCoding {
    SnapshotCoding(
      json: { .string($0) },
      value: { $0?.string.flatMap { lengths.contains($0.utf8.count) ? $0 : nil } })
  }
}

extension SnapshotCoding<Int> {
  public static func count(_ bounds: ClosedRange<Int>) -> SnapshotCoding {
    SnapshotCoding(
      json: { .number(Double($0)) },
      value: { $0?.integer.flatMap { bounds.contains($0) ? $0 : nil } })
  }
}

extension SnapshotCoding<Double> {
  /// What JSON cannot express (NaN, infinity) is written as null.
  public static func number(
    where isSound: @escaping @Sendable (Double) -> Bool
  ) -> SnapshotCoding {
    SnapshotCoding(
      json: { $0.isFinite ? .number($0) : .null },
      value: { $0?.number.flatMap { isSound($0) ? $0 : nil } })
  }

  public static func number(_ bounds: ClosedRange<Double>) -> SnapshotCoding {
    number(where: bounds.contains)
  }
}

extension SnapshotCoding where Value: Quantity {
  /// A number with its unit.
  public static func of(_ number: SnapshotCoding<Double>) -> SnapshotCoding {
    number.mapped(to: { Value($0) }, from: { $0.value })
  }
}
