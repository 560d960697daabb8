import Core

/// The permanent and globally unique id of a place.
public struct PlaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let id: UniqueID

  private init(_ id: UniqueID) { self.id = id }

  /// - Parameter bytes: 16 of them, in the order of writing; nil for another number.
  public init?(bytes: some Collection<UInt8>) {
    guard let id = UniqueID(bytes: bytes) else { return nil }
    self.id = id
  }

  /// Reads the canonical form of a UUID; nil for everything else.
  public init?(_ text: String) {
    guard let id = UniqueID(text) else { return nil }
    self.id = id
  }

  /// The id derived from a digest.
  public init(of digest: SHA256) { self.init(UniqueID(of: digest)) }

  /// A new random id.
  public static func made(using chance: inout some RandomNumberGenerator) -> PlaceID {
    PlaceID(UniqueID.made(using: &chance))
  }

  /// 16, in the order in which they are written.
  public var bytes: [UInt8] { id.bytes }

  /// The canonical form, in lower case.
  public var description: String { id.description }

  public static func < (a: Self, b: Self) -> Bool { a.id < b.id }
}
