/// Why a port could not do what was requested.
public enum PortError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No further kind: a caller can only report it and try again later.
  case failed(String)

  // A receiver, a device, a service.
  /// No such device or address. It may appear later.
  case missing(String)
  /// What it needs is not installed or does not run. That may change.
  case unavailable(String)
  /// The request, the settings or the permissions are wrong: waiting will not help.
  case refused(String)
  /// It was there and went away.
  case lost(String)
  /// Another program holds it.
  case busy(String)

  // A store.
  case full(String)
  case readOnly(String)
  case corrupt(String)
  /// Written by a newer version of the program.
  case newer(String)
  /// What was open is no longer the store of that name: moved, replaced, deleted, written over.
  case moved(String)

  public init(_ message: String) { self = .failed(message) }

  /// What happened, where, and what to do next.
  public var message: String {
    switch self {
    case .failed(let text), .missing(let text), .unavailable(let text), .refused(let text),
      .lost(let text), .busy(let text), .full(let text), .readOnly(let text), .corrupt(let text),
      .newer(let text), .moved(let text):
      text
    }
  }

  public var description: String { message }

  public var isBusy: Bool { if case .busy = self { true } else { false } }
}
