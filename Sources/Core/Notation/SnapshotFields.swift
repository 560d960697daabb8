/// The fields of a type that are written into a snapshot and read back, each listed once.
///
/// Reading is all or nothing for the required fields; another field that is damaged falls back as
/// it declares.
public struct SnapshotFields<Root>: Sendable {
  public enum Form: Sendable {
    /// Members by name.
    case object
    /// All values in the order of the fields: short, for what is written a hundred times.
    case list
  }

  private let form: Form
  private let fields: [SnapshotField<Root>]

  public init(_ fields: [SnapshotField<Root>], as form: Form = .object) {
    self.form = form
    self.fields = fields
  }

  public func snapshot(of root: Root) -> JSONValue {
    switch form {
    case .list: .array(fields.flatMap { $0.values(root).map { $0 ?? .null } })
    case .object:
      .object(
        fields.flatMap { field in
          zip(field.names, field.values(root)).compactMap { name, value in
            value.map { (name: name, value: $0) }
          }
        })
    }
  }

  /// `root` with everything from the snapshot; nil when a required field is missing or damaged.
  public func restored(_ snapshot: JSONValue?, onto root: Root) -> Root? {
    var root = root
    switch form {
    case .object:
      for field in fields {
        guard field.read(field.names.map { snapshot?[$0] }, &root) else { return nil }
      }
    case .list:
      let count = fields.reduce(0) { $0 + $1.names.count }
      guard let values = snapshot?.array, values.count == count else { return nil }
      var rest = values[...]
      for field in fields {
        guard field.read(rest.prefix(field.names.count).map { $0 }, &root) else { return nil }
        rest = rest.dropFirst(field.names.count)
      }
    }
    return root
  }

  /// All fields as one value of another snapshot.
  /// - Parameters:
  ///   - blank: what the fields are read onto.
  ///   - finish: reconciles fields that depend on each other; false: they contradict each other.
  public func coding(
    onto blank: Root, finish: @escaping @Sendable (inout Root) -> Bool = { _ in true }
  ) -> SnapshotCoding<Root> where Root: Sendable {
    SnapshotCoding(
      json: { snapshot(of: $0) },
      value: {
        guard var root = restored($0, onto: blank), finish(&root) else { return nil }
        return root
      })
  }
}

/// One field of a snapshot, or a few that are one property: its names, and both ways.
public struct SnapshotField<Root>: Sendable {
  public typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  let names: [String]
  /// Nil: left out of an object.
  let values: @Sendable (Root) -> [JSONValue?]
  /// One value for each name. False: damaged, and the root is useless without it.
  let read: @Sendable ([JSONValue?], inout Root) -> Bool

  private init(
    _ names: [String], values: @escaping @Sendable (Root) -> [JSONValue?],
    read: @escaping @Sendable ([JSONValue?], inout Root) -> Bool
  ) {
    self.names = names
    self.values = values
    self.read = read
  }

  /// Without it the snapshot is refused.
  /// - Parameter merge: combines the existing value and the one that was read.
  public static func required<Value>(
    _ name: String, _ path: Path<Value>, _ coding: SnapshotCoding<Value>,
    merge: @escaping @Sendable (Value, Value) -> Value = { $1 }
  ) -> SnapshotField {
    SnapshotField([name], values: { [coding.json($0[keyPath: path])] }) { values, root in
      guard let value = coding.value(values[0]) else { return false }
      root[keyPath: path] = merge(root[keyPath: path], value)
      return true
    }
  }

  /// A property that may be nil, but not in a valid snapshot.
  public static func required<Value>(
    _ name: String, _ path: Path<Value?>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    let optional = optional(name, path, coding)
    return SnapshotField([name], values: optional.values) { values, root in
      optional.read(values, &root) && root[keyPath: path] != nil
    }
  }

  /// Null means nil; a missing or damaged value becomes nil.
  public static func optional<Value>(
    _ name: String, _ path: Path<Value?>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField([name], values: { [$0[keyPath: path].map(coding.json) ?? .null] }) {
      $1[keyPath: path] = coding.value($0[0])
      return true
    }
  }

  /// A property that may be nil, and is left out then; a missing or damaged value becomes nil.
  public static func omittable<Value>(
    _ name: String, _ path: Path<Value?>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField(
      [name], values: { [$0[keyPath: path].map(coding.json)] },
      read: optional(name, path, coding).read)
  }

  /// A missing or damaged value leaves the root as it was.
  public static func kept<Value>(
    _ name: String, _ path: Path<Value>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField([name], values: { [coding.json($0[keyPath: path])] }) { values, root in
      if let value = coding.value(values[0]) { root[keyPath: path] = value }
      return true
    }
  }

  /// A property that may be nil, with null then; null, too, leaves the root as it was.
  public static func kept<Value>(
    _ name: String, _ path: Path<Value?>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField([name], values: { [$0[keyPath: path].map(coding.json) ?? .null] }) {
      if let value = coding.value($0[0]) { $1[keyPath: path] = value }
      return true
    }
  }

  /// A missing or damaged value becomes `fallback`.
  public static func defaulted<Value: Sendable>(
    _ name: String, _ path: Path<Value>, _ coding: SnapshotCoding<Value>, _ fallback: Value
  ) -> SnapshotField {
    SnapshotField([name], values: { [coding.json($0[keyPath: path])] }) {
      $1[keyPath: path] = coding.value($0[0]) ?? fallback
      return true
    }
  }

  /// A part with fields of its own. One whose required fields are damaged stays as it was.
  public static func part<Part>(
    _ name: String, _ path: Path<Part>, _ fields: SnapshotFields<Part>
  ) -> SnapshotField {
    SnapshotField([name], values: { [fields.snapshot(of: $0[keyPath: path])] }) { values, root in
      if let part = fields.restored(values[0], onto: root[keyPath: path]) {
        root[keyPath: path] = part
      }
      return true
    }
  }

  /// A part that may be nil, with its members among those of the whole, and none of them then. One
  /// whose required fields are missing or damaged becomes nil.
  /// - Parameter blank: what its fields are read onto.
  public static func members<Part: Sendable>(
    _ path: Path<Part?>, onto blank: Part, _ fields: [SnapshotField<Part>]
  ) -> SnapshotField {
    SnapshotField(
      fields.flatMap(\.names),
      values: { root in
        let part = root[keyPath: path]
        return fields.flatMap { field in part.map(field.values) ?? field.names.map { _ in nil } }
      },
      read: { values, root in
        var part = blank
        var rest = values[...]
        let isSound = fields.allSatisfy { field in
          defer { rest = rest.dropFirst(field.names.count) }
          return field.read(Array(rest.prefix(field.names.count)), &part)
        }
        root[keyPath: path] = isSound ? part : nil
        return true
      })
  }

  /// A position as "latitude" and "longitude" in degrees. Without it the snapshot is refused.
  public static func position(_ path: Path<Coordinate>) -> SnapshotField {
    SnapshotField(
      ["latitude", "longitude"],
      values: {
        let position = $0[keyPath: path]
        return [.number(position.latitude.value), .number(position.longitude.value)]
      },
      read: {
        guard let latitude = $0[0]?.number, let longitude = $0[1]?.number,
          let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
        else { return false }
        $1[keyPath: path] = position
        return true
      })
  }

  /// The field of a part among those of the whole.
  public func of<Whole>(
    _ path: WritableKeyPath<Whole, Root> & Sendable
  ) -> SnapshotField<Whole> {
    SnapshotField<Whole>(
      names, values: { values($0[keyPath: path]) }, read: { read($0, &$1[keyPath: path]) })
  }

  /// The field of a part that may be absent, with null then. Reading it makes a part of `blank`.
  public func of<Whole>(
    _ path: WritableKeyPath<Whole, Root?> & Sendable, onto blank: Root
  ) -> SnapshotField<Whole> where Root: Sendable {
    SnapshotField<Whole>(
      names,
      values: { $0[keyPath: path].map(values) ?? names.map { _ in .null } },
      read: {
        var part = $1[keyPath: path] ?? blank
        guard read($0, &part) else { return false }
        $1[keyPath: path] = part
        return true
      })
  }
}
