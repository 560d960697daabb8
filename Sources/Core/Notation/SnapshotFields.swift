/// The fields of a type that are written into a snapshot and read back, each listed once.
///
/// A missing or damaged required field invalidates the snapshot. Every other field falls back as it
/// declares.
public struct SnapshotFields<Root>: Sendable {
  public enum Form: Sendable {
    /// Members by name.
    case object
    /// All values in the order of the fields: compact, for values that occur a hundred times.
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

  /// `root` with everything from the snapshot; nil if a required field is missing or damaged.
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
  ///   - blank: the root that the fields are read into.
  ///   - finish: reconciles fields that depend on each other; false if they are inconsistent.
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

/// One property of a snapshot as one or several named values, with encoding and decoding.
public struct SnapshotField<Root>: Sendable {
  public typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  let names: [String]
  /// Nil values are left out of an object.
  let values: @Sendable (Root) -> [JSONValue?]
  /// Receives one value for each name. False: damaged, and the root is unusable without it.
  let read: @Sendable ([JSONValue?], inout Root) -> Bool

  private init(
    _ names: [String], values: @escaping @Sendable (Root) -> [JSONValue?],
    read: @escaping @Sendable ([JSONValue?], inout Root) -> Bool
  ) {
    self.names = names
    self.values = values
    self.read = read
  }

  /// A field without which the snapshot is rejected.
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

  /// A property that may be nil, but never is in a valid snapshot.
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

  /// A property that is left out when it is nil; a missing or damaged value becomes nil.
  public static func omittable<Value>(
    _ name: String, _ path: Path<Value?>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField(
      [name], values: { [$0[keyPath: path].map(coding.json)] },
      read: optional(name, path, coding).read)
  }

  /// A missing or damaged value leaves the property unchanged.
  public static func kept<Value>(
    _ name: String, _ path: Path<Value>, _ coding: SnapshotCoding<Value>
  ) -> SnapshotField {
    SnapshotField([name], values: { [coding.json($0[keyPath: path])] }) { values, root in
      if let value = coding.value(values[0]) { root[keyPath: path] = value }
      return true
    }
  }

  /// A property that is null when it is nil; a null value, too, leaves the property unchanged.
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

  /// A part with its own fields. If its required fields are damaged, it stays unchanged.
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

  /// A part that may be nil. Its members are among those of the whole, and are left out when it is
  /// nil. A part whose required fields are missing or damaged becomes nil.
  /// - Parameter blank: the part that the fields are read into.
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

  /// A position as "latitude" and "longitude" in degrees. Without it the snapshot is rejected.
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

  /// Moves the field of a part to the whole.
  public func of<Whole>(
    _ path: WritableKeyPath<Whole, Root> & Sendable
  ) -> SnapshotField<Whole> {
    SnapshotField<Whole>(
      names, values: { values($0[keyPath: path]) }, read: { read($0, &$1[keyPath: path]) })
  }

  /// Moves the field of an optional part to the whole, with null when the part is nil. Reading it
  /// creates the part from `blank`.
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
