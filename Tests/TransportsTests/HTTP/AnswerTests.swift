import Delivery
import Core
import Testing

/// Answers of well-behaved servers.
@Suite struct AnswerTests {
  @Test("JSON, created and empty answers are returned unchanged") func answers() throws {
    let server = try WebServer()
    let uploading = Uploading()
    #expect(
      try uploading.answer(server.url("json"))
        == UploadAnswer(status: 200, body: Array("[]".utf8), contentType: "application/json"))
    let created = try uploading.answer(server.url("created"))
    #expect(created.status == 201 && created.text == #"{"result":"ok"}"#)
    #expect(try uploading.answer(server.url("nothing")) == UploadAnswer(status: 204))
    let page = try uploading.answer(server.url("page"))
    #expect(page.status == 200 && page.contentType == "text/html")
    let address = try WebAddress(parsing: "https://receiver.example/pub")
    let plan = WebPlan(
      WebSettings(.owntracksHTTP), at: address, nil, UplinkTopics(user: "ann", device: "bike"))
    #expect(WebReceipt(of: page, from: plan) != .received)
  }

  @Test("a refusal is an answer with its status", arguments: [400, 401, 404, 413, 429, 500])
  func refusals(_ status: Int) throws {
    let server = try WebServer()
    #expect(
      try Uploading().answer(server.url("status?\(status)"))
        == UploadAnswer(status: status, body: Array("no".utf8)))
  }

  @Test("a busy server reports how long to wait") func busy() throws {
    let server = try WebServer()
    let answer = try Uploading().answer(server.url("busy"))
    #expect(answer.status == 503 && answer.retryAfter == 120)
  }

  @Test("a redirect is not followed, and reported without its path") func moved() throws {
    let server = try WebServer()
    let failure = try #require(try Uploading().failure(server.url("moved")))
    #expect(failure.cause == .redirected(to: "http://portal.example:8080"))
    #expect(!failure.message.contains("SECRET"))
  }

  @Test("Basic is sent unprompted, with any characters in the password") func basic() throws {
    let server = try WebServer()
    let right = UploadCredentials.basic(user: "anna", password: Secret("päss:w\"ort"))
    let wrong = UploadCredentials.basic(user: "anna", password: Secret("other"))
    let uploading = Uploading()
    #expect(try uploading.answer(server.url("basic"), credentials: right).status == 200)
    #expect(try uploading.answer(server.url("basic"), credentials: wrong).status == 401)
    #expect(try uploading.answer(server.url("basic")).status == 401)
  }

  /// The request as the server received it.
  private func echo(_ request: UploadRequest) throws -> JSONValue {
    try JSONValue(parsing: Uploading().result(of: request).get().body)
  }

  @Test("a POST has its body and its headers and none of libcurl's own") func post() throws {
    let server = try WebServer()
    let heard = try echo(
      UploadRequest(
        .post, WebAddress(parsing: server.url("echo?u=a")),
        headers: [UploadRequest.Header("X-Limit-U", "anna")], body: Array("a\u{0}b".utf8),
        contentType: "text/plain", credentials: .bearer(Secret("TOKEN"))))
    #expect(heard["method"] == .string("POST") && heard["path"] == .string("/echo?u=a"))
    #expect(heard["body"] == .string("a\u{0}b"))
    guard case .object(let headers) = heard["headers"] else { throw Uploading.NothingCame() }
    #expect(
      headers.map { "\($0.name): \($0.value.string ?? "")" }.sorted() == [
        "accept: */*", "authorization: Bearer TOKEN", "content-length: 3",
        "content-type: text/plain", "host: 127.0.0.1:\(server.port)", "user-agent: godwit/test",
        "x-limit-u: anna",
      ])
  }

  @Test("a GET has the key in its query") func get() throws {
    let server = try WebServer()
    let heard = try echo(
      UploadRequest(
        .get, WebAddress(parsing: server.url("echo?id=1")),
        credentials: .queryKey(name: "api_key", Secret("a&b c"))))
    #expect(heard["method"] == .string("GET"))
    #expect(heard["path"] == .string("/echo?id=1&api_key=a%26b%20c"))
  }

  @Test("a POST without a body, and one of a megabyte") func sizes() throws {
    let server = try WebServer()
    let address = try WebAddress(parsing: server.url("json"))
    let uploading = Uploading()
    for size in [0, UploadRequest.longestBody] {
      let request = try UploadRequest(
        .post, address, body: [UInt8](repeating: UInt8(ascii: "x"), count: size))
      #expect(try uploading.result(of: request).get().status == 200)
    }
  }
}
