/// A password, a token or a key. Whoever writes it out, by mistake or in an error, writes a
/// placeholder: only `text` gives it away.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  /// What `dump` and a description of something around it are made of.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
