import Delivery
import Transports
import Testing

/// Which certificates are trusted, and which failure is reported for the others.
@Suite struct CertificateTests {
  private static let bad: [(name: String, cause: UploadFailure.Cause)] = [
    ("expired", .certificateExpired), ("early", .certificateNotYetValid),
    ("elsewhere", .certificateWrongHost),
  ]

  @Test("a wrong certificate is reported with its fault", arguments: bad.indices)
  func wrong(_ index: Int) throws {
    let made = try SignedFiles.made.get()
    let (name, cause) = Self.bad[index]
    let server = try WebServer(certificate: made.file(name))
    let uploading = Uploading { $0.authorities = made.file("authority") }
    let failure = try uploading.failure(server.secureURL("json"))
    #expect(failure?.cause == cause, "\(String(describing: failure))")
  }

  @Test("only the given authority is trusted, and by default no private one") func foreign() throws
  {
    let made = try SignedFiles.made.get()
    let server = try WebServer(certificate: made.file("good"))
    let trusting = Uploading { $0.authorities = made.file("authority") }
    #expect(try trusting.answer(server.secureURL("json")).status == 200)
    #expect(try trusting.answer(server.secureURL("json", host: "127.0.0.1")).status == 200)
    let other = Uploading { $0.authorities = made.file("stranger") }
    #expect(try other.failure(server.secureURL("json"))?.cause == .certificateForeign)
    #expect(try Uploading().failure(server.secureURL("json"))?.cause == .certificateForeign)
  }

  @Test("a client presents its certificate") func client() throws {
    let made = try SignedFiles.made.get()
    let server = try WebServer(certificate: made.file("good"), clients: made.file("authority"))
    let url = server.secureURL("certificate")
    let known = Uploading {
      $0.authorities = made.file("authority")
      $0.clientCertificate = .init(file: made.file("client"), keyFile: made.file("client"))
    }
    #expect(try known.answer(url).text == "client")
    let unknown = Uploading { $0.authorities = made.file("authority") }
    // With TLS 1.3 the server closes the connection after its alert, which may be lost.
    let causes: Set<UploadFailure.Cause?> = [.clientCertificateRefused, .brokenOff]
    #expect(try causes.contains(unknown.failure(url)?.cause))
    let stranger = Uploading {
      $0.authorities = made.file("authority")
      $0.clientCertificate = .init(
        file: made.file("stranger"), keyFile: made.key("stranger"))
    }
    let refusal = try stranger.failure(url)
    #expect(causes.contains(refusal?.cause), "\(String(describing: refusal))")
  }

  @Test("a key with a passphrase requires it, without a prompt") func locked() throws {
    let made = try SignedFiles.made.get()
    let server = try WebServer(certificate: made.file("good"), clients: made.file("authority"))
    let url = server.secureURL("certificate")
    for (passphrase, works) in [("OPENSESAME", true), ("OPENBARLEY", false), (nil, false)] {
      let uploading = Uploading {
        $0.authorities = made.file("authority")
        $0.clientCertificate = .init(
          file: made.file("client"), keyFile: made.file("locked"),
          passphrase: passphrase.map { Secret($0) })
      }
      let failure = try uploading.failure(url)
      #expect(failure?.cause == (works ? nil : .clientCertificateUnusable))
      #expect(failure.map { $0.message.contains("OPEN") } != true)
    }
  }

  @Test("missing or wrong files are reported") func files() throws {
    let made = try SignedFiles.made.get()
    try made.write("no certificate\n", to: "text")
    let server = try WebServer(certificate: made.file("good"))
    for name in ["missing", "text"] {
      let authorities = Uploading { $0.authorities = made.file(name) }
      let failure = try authorities.failure(server.secureURL("json"))
      #expect(failure?.cause == .authoritiesUnusable, "\(name)")
      let certificate = Uploading {
        $0.authorities = made.file("authority")
        $0.clientCertificate = .init(file: made.file(name), keyFile: made.file(name))
      }
      let other = try certificate.failure(server.secureURL("json"))
      #expect(other?.cause == .clientCertificateUnusable, "\(name)")
    }
  }
}
