import Delivery
import Core
import Testing

/// Servers that are broken or hostile.
@Suite struct HostileServerTests {
  /// A path of the server and the failure that is reported for it.
  typealias Case = (path: String, cause: UploadFailure.Cause)

  private static let cases: [Case] = [
    ("huge", .tooLarge), ("chunked", .tooLarge), ("headers", .tooLarge), ("line", .tooLarge),
    ("interim", .tooLarge), ("garbage", .notHTTP), ("closed", .brokenOff), ("mute", .brokenOff),
  ]

  @Test("endless, broken and foreign answers are distinguished", arguments: cases.indices)
  func hostile(_ index: Int) throws {
    let (path, cause) = Self.cases[index]
    let server = try WebServer()
    let uploading = Uploading()
    let failure = try uploading.failure(server.url(path))
    #expect(failure?.cause == cause, "\(path): \(String(describing: failure))")
    #expect(try uploading.answer(server.url("json")).status == 200, "the next one works")
  }

  private static let slowPaths = ["silent", "drip"]

  @Test("a server that sends nothing, or little, is abandoned", arguments: slowPaths)
  func slow(_ path: String) throws {
    let server = try WebServer()
    let uploading = Uploading { $0.totalTimeout = 0.3 }
    let failure = try uploading.failure(server.url(path))
    #expect(failure?.cause == .timedOut(.answering))
    #expect(uploading.uploader.hasRoom)
  }

  @Test("a slow answer is abandoned before the timeout") func stalled() throws {
    let server = try WebServer()
    let uploading = Uploading {
      $0.slowest = 1000
      $0.stallTimeout = 1
    }
    #expect(try uploading.failure(server.url("drip"))?.cause == .timedOut(.answering))
  }

  @Test("no server listens") func refused() throws {
    #expect(try Uploading().failure("http://127.0.0.1:1/")?.cause == .refused)
  }

  @Test("TLS to a server without it") func noTLS() throws {
    let server = try WebServer()
    let failure = try #require(try Uploading().failure(server.secureURL("json")))
    #expect(failure.cause == .handshakeFailed && failure.isPassing)
  }

  @Test("a server that accepts without a handshake") func muteTLS() throws {
    let listener = try SilentListener()
    let uploading = Uploading { $0.connectTimeout = 0.3 }
    let url = "https://127.0.0.1:\(listener.port)/"
    let failure = try uploading.failure(url)
    #expect(failure?.cause == .timedOut(.handshake), "\(String(describing: failure))")
  }

  @Test("no error repeats the key, whatever libcurl quotes") func keys() throws {
    let key = UploadCredentials.queryKey(name: "api_key", Secret("SESAME"))
    for url in ["http://127.0.0.1:1/WEBHOOK", "https://127.0.0.1:1/WEBHOOK"] {
      let failure = try #require(try Uploading().failure(url, credentials: key))
      let told = "\(failure) \(failure.message)"
      #expect(!told.contains("SESAME") && !told.contains("WEBHOOK") && told.contains("127.0.0.1:1"))
    }
  }
}
