import Delivery
import Glibc
import Transports
import Platform
import Ports
import Core
import Testing

/// Uploads through the adapter as the event loop does: waits for the descriptor or the due time.
struct Uploading {
  typealias Outcome = Result<UploadAnswer, UploadFailure>

  let uploader: WebUploader

  init(_ change: (inout HTTPOptions) -> Void = { _ in }) {
    var options = HTTPOptions(userAgent: "godwit/test")
    // Limits a test that fails.
    options.totalTimeout = 30
    change(&options)
    uploader = WebUploader(options)
  }

  /// The next result.
  func next(within limit: Seconds = 60) throws -> (number: Int, result: Outcome) {
    let deadline = BootClock.now + limit
    while BootClock.now < deadline {
      if let next = uploader.poll() { return next }
      _ = BootClock.wait(
        for: uploader.interest?.descriptor, until: min(deadline, uploader.due ?? deadline))
    }
    throw NothingCame()
  }

  struct NothingCame: Error {}

  func result(of request: UploadRequest) throws -> Outcome {
    let number = try #require(uploader.begin(request))
    let next = try next()
    #expect(next.number == number)
    return next.result
  }

  func result(_ url: String, credentials: UploadCredentials? = nil) throws -> Outcome {
    try result(of: Self.request(url, credentials: credentials))
  }

  func answer(_ url: String, credentials: UploadCredentials? = nil) throws -> UploadAnswer {
    try result(url, credentials: credentials).get()
  }

  /// Why there is no answer; nil: there is one.
  func failure(_ url: String, credentials: UploadCredentials? = nil) throws -> UploadFailure? {
    guard case .failure(let failure) = try result(url, credentials: credentials) else { return nil }
    return failure
  }

  static func request(
    _ url: String, credentials: UploadCredentials? = nil
  ) throws -> UploadRequest {
    try UploadRequest(
      .post, WebAddress(parsing: url), body: Array("{}".utf8), contentType: "application/json",
      credentials: credentials)
  }
}

extension WebServer {
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
  func secureURL(_ path: String, host: String = "localhost") -> String {
    "https://\(host):\(port)/\(path)"
  }
}

extension UploadAnswer {
  var text: String { String(decoding: body, as: UTF8.self) }
}
