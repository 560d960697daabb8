import CShims
import Delivery
import Glibc

/// How libcurl reports a failed request, and the cause.
struct TransferEnd {
  /// How far the request has come.
  struct Progress {
    /// Microseconds from the start, or another number; 0: this stage was not reached.
    var lookedUp = 0
    var connected = 0
    var secured = 0

    func stage(isSecure: Bool) -> UploadFailure.Stage {
      if lookedUp == 0 { return .lookingUp }
      if connected == 0 { return .connecting }
      return isSecure && secured == 0 ? .handshake : .answering
    }
  }

  var code: CURLcode
  var isSecure = false
  /// Whether the answer exceeded the limit.
  var isTooLarge = false
  /// OpenSSL's result (X509_STORE_CTX_get_error(3)); nil: another library checks certificates.
  var verification: Int?
  /// errno of the last connection.
  var systemError: Int32 = 0
  var progress = Progress()
  /// libcurl's error text.
  var text = ""

  var cause: UploadFailure.Cause {
    if isTooLarge { return .tooLarge }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .nameNotResolved
    case CURLE_COULDNT_CONNECT: return connection
    case CURLE_OPERATION_TIMEDOUT: return .timedOut(progress.stage(isSecure: isSecure))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP
    case CURLE_FILESIZE_EXCEEDED, Self.tooLarge: return .tooLarge
    // libcurl's code for a header line without an end (before 8.6, lib/dynbuf.c).
    case CURLE_OUT_OF_MEMORY where progress.connected > 0: return .tooLarge
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxyFailed
    case CURLE_PEER_FAILED_VERIFICATION: return certificate
    case CURLE_SSL_CERTPROBLEM: return .clientCertificateUnusable
    case CURLE_SSL_CACERT_BADFILE: return .authoritiesUnusable
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      return isAboutClient ? .clientCertificateRefused : .handshakeFailed
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      return isAboutClient ? .clientCertificateRefused : .brokenOff
    default: return .impossible
    }
  }

  /// CURLE_TOO_LARGE, which the header has since libcurl 8.6.
  private static let tooLarge = CURLcode(rawValue: 100)

  private var connection: UploadFailure.Cause {
    switch systemError {
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
    case ETIMEDOUT: .timedOut(.connecting)
    default: .refused
    }
  }

  /// By OpenSSL's X509_V_ERR_ numbers (openssl/x509_vfy.h). libcurl compares the name itself, after
  /// OpenSSL has accepted the certificate.
  private var certificate: UploadFailure.Cause {
    switch verification {
    case _ where text.contains("subject name"): .certificateWrongHost
    case 0, 62, 64: .certificateWrongHost
    case 9: .certificateNotYetValid
    case 10: .certificateExpired
    default: .certificateForeign
    }
  }

  /// With TLS 1.3 the server refuses the client's certificate by an alert after the handshake (RFC
  /// 8446, 6.2), when the client already reads the answer.
  private var isAboutClient: Bool {
    text.contains("alert") && (text.contains("certificate") || text.contains("unknown ca"))
  }

  /// Whether libcurl's text adds something to the cause.
  var needsDetail: Bool {
    switch cause {
    case .handshakeFailed, .certificateForeign, .clientCertificateRefused,
      .clientCertificateUnusable, .authoritiesUnusable, .proxyFailed, .impossible:
      true
    default: false
    }
  }
}
