/// A password, a token or a key. Its description, in an error for example, is a placeholder: only
/// `text` reveals it.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  /// Used by `dump` and by descriptions of types that contain it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
