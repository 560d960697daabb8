import Core

/// Why a request has no answer.
public struct UploadFailure: Error, Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    case nameNotResolved
    case refused
    case unreachable
    case timedOut(Stage)
    /// Closed before the answer was complete, or before it began.
    case brokenOff
    /// The server does not speak HTTP.
    case notHTTP
    /// A redirect: scheme, host and port, if they are valid.
    case redirected(to: String?)
    /// The answer, or its headers.
    case tooLarge
    case certificateExpired
    case certificateNotYetValid
    /// Not signed by a trusted authority.
    case certificateForeign
    /// It is for another host.
    case certificateWrongHost
    /// The server requires a client certificate, or another one.
    case clientCertificateRefused
    /// For the client certificate and its key.
    case clientCertificateUnusable
    case authoritiesUnusable
    case handshakeFailed
    case proxyFailed
    case libraryMissing
    /// An error of the adapter itself, such as no memory.
    case impossible
  }

  /// How far a request has come.
  public enum Stage: Hashable, Sendable {
    case lookingUp, connecting, handshake, answering
  }

  public let cause: Cause
  /// Scheme, host and port.
  public let origin: String
  /// The library's error text, safe to show; empty: none that would help.
  public let detail: String

  public init(_ cause: Cause, at address: WebAddress, detail: String = "") {
    self.cause = cause
    origin = address.origin
    self.detail = TerminalText.line(String(detail.prefix(200)))
  }

  /// Whether it may end by itself. The others last until a person acts; until then retrying only
  /// costs energy.
  public var isPassing: Bool {
    switch cause {
    case .nameNotResolved, .refused, .unreachable, .timedOut, .brokenOff, .notHTTP, .redirected,
      .tooLarge, .handshakeFailed, .proxyFailed, .impossible,
      // The receiver corrects a wrong clock; in a captive portal all certificates are foreign.
      .certificateExpired, .certificateNotYetValid, .certificateForeign, .certificateWrongHost:
      true
    case .clientCertificateRefused, .clientCertificateUnusable, .authoritiesUnusable,
      .libraryMissing:
      false
    }
  }

  /// What happened, where, and what to do next.
  public var message: String {
    "\(origin): \(text)" + (detail.isEmpty ? "" : " (\(detail))")
  }

  private var text: String {
    switch cause {
    case .nameNotResolved:
      "the name is not known; is there a network, and is the name written right?"
    case .refused: "the connection is refused; does the server run, and on this port?"
    case .unreachable: "no way leads there; is there a network?"
    case .timedOut(let stage): stage.text
    case .brokenOff: "the connection was closed before the answer was complete; it is tried again"
    case .notHTTP: "what answers is no web server; is the port right?"
    case .redirected(let other):
      "the request is sent on\(other.map { " to \($0)" } ?? ""), which is never followed; if that "
        + "is the receiver, write its address in the settings, otherwise sign in to this network"
    case .tooLarge: "the answer is too long for a receiver's; is the address right?"
    case .proxyFailed: "the proxy does not let it through; look at the proxy's settings"
    case .libraryMissing: "HTTP is not to be had"
    case .impossible: "the request cannot be made"
    case .certificateExpired, .certificateNotYetValid, .certificateForeign, .certificateWrongHost,
      .clientCertificateRefused, .clientCertificateUnusable, .authoritiesUnusable,
      .handshakeFailed:
      certificateText
    }
  }

  private var certificateText: String {
    switch cause {
    case .certificateExpired:
      "the server's certificate has expired, or the board's clock is ahead; compare with date(1)"
    case .certificateNotYetValid:
      "the server's certificate is not valid yet: most likely the board's clock is behind; it is "
        + "set when the receiver or the network has told the time"
    case .certificateForeign:
      "nobody who is trusted has signed the server's certificate; give the file of its authority, "
        + "or install ca-certificates; a network that wants a sign-in does this, too"
    case .certificateWrongHost:
      "the server's certificate is for another name; write the name that it is for"
    case .clientCertificateRefused:
      "the server wants another client certificate, or any; give the one that it knows"
    case .clientCertificateUnusable:
      "the client certificate or its key cannot be used; look at both files, and that they belong "
        + "together"
    case .authoritiesUnusable:
      "the file of trusted authorities cannot be read; it has to have certificates as PEM"
    default: "no secure connection comes about; does the server speak TLS 1.2 or later there?"
    }
  }
}

extension UploadFailure.Stage {
  fileprivate var text: String {
    switch self {
    case .lookingUp: "looking up the name took too long; does the network's name server answer?"
    case .connecting: "nobody answers; is there a network, and does a firewall let it through?"
    case .handshake: "the server accepts and says nothing; does it speak TLS on this port?"
    case .answering: "the answer took too long; it is tried again"
    }
  }
}
