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
  let origin: String
  /// The library's error text, safe to show; empty: none that would help.
  let detail: String

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
      "the name is unknown; check the network and the spelling of the name"
    case .refused: "the connection is refused; check that the server runs, and on this port"
    case .unreachable: "no route to the host; check the network"
    case .timedOut(let stage): stage.text
    case .brokenOff: "the connection was closed before the answer was complete; it is retried"
    case .notHTTP: "the server is not a web server; check the port"
    case .redirected(let other):
      "the request is redirected\(other.map { " to \($0)" } ?? ""), which is never followed; if "
        + "that is the receiver, write its address in the settings, otherwise sign in to this "
        + "network"
    case .tooLarge: "the answer is too long for a receiver; check the address"
    case .proxyFailed: "the proxy blocks it; check the proxy's settings"
    case .libraryMissing: "HTTP is not available"
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
      "the server's certificate has expired, or the board's clock is ahead; check it with date(1)"
    case .certificateNotYetValid:
      "the server's certificate is not valid yet: most likely the board's clock is behind; the "
        + "receiver or the network will set it"
    case .certificateForeign:
      "no trusted authority has signed the server's certificate; set ca_file to the file of its "
        + "authority, or install ca-certificates; a network that requires a sign-in also causes "
        + "this"
    case .certificateWrongHost:
      "the server's certificate is for another name; use that name"
    case .clientCertificateRefused:
      "the server requires a client certificate, or another one; use the one that it accepts"
    case .clientCertificateUnusable:
      "the client certificate or its key cannot be used; check both files, and that they belong "
        + "together"
    case .authoritiesUnusable:
      "the file of trusted authorities cannot be read; it must contain certificates as PEM"
    default: "no secure connection; check that the server supports TLS 1.2 or later there"
    }
  }
}

extension UploadFailure.Stage {
  fileprivate var text: String {
    switch self {
    case .lookingUp: "the name look-up took too long; check the network's name server"
    case .connecting: "no answer; check the network, and firewalls on the way"
    case .handshake: "the server accepts but sends nothing; check that it supports TLS on this port"
    case .answering: "the answer took too long; it is retried"
    }
  }
}
