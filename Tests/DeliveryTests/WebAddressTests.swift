import Testing

@testable import Delivery

@Suite struct WebAddressTests {
  private static let good: [(text: String, origin: String, target: String)] = [
    ("https://example.org", "https://example.org", "/"),
    ("HTTP://Example.ORG:8083/pub?u=a", "http://example.org:8083", "/pub?u=a"),
    ("https://example.org:443/a", "https://example.org", "/a"),
    ("http://[::1]:5055/", "http://[::1]:5055", "/"),
    ("http://10.0.0.1?x=1", "http://10.0.0.1", "/?x=1"),
  ]

  @Test("an address is read, and shows only its origin", arguments: good)
  func reads(text: String, origin: String, target: String) throws {
    let address = try WebAddress(parsing: text)
    #expect(address.origin == origin && address.target == target)
    #expect("\(address)" == origin)
    #expect(try WebAddress(parsing: address.text) == address)
  }

  private static let bad: [(text: String, error: WebAddressError)] = [
    ("", .scheme), ("example.org", .scheme), ("ftp://example.org", .scheme),
    ("https://ann:secret@example.org", .userInfo), ("https://", .host), ("https://a..b", .host),
    ("https://[1", .host), ("https://example.org:0", .port), ("https://example.org:x", .port),
    ("https://example.org:65536", .port), ("https://example.org/#a", .fragment),
    ("https://example.org/a b", .character), ("https://exämple.org", .character),
    ("https://example.org/" + String(repeating: "a", count: 2100), .tooLong),
  ]

  @Test("an invalid address is refused with a reason that repeats no secret", arguments: bad)
  func refuses(text: String, error: WebAddressError) {
    #expect(throws: error) { try WebAddress(parsing: text) }
    #expect(!error.message.contains("secret"))
  }

  @Test("a request shows no secret, and refuses anything that would break its header line")
  func requests() throws {
    let address = try WebAddress(parsing: "https://example.org/webhook/HIDDEN")
    let request = try UploadRequest(
      .post, address, body: [1], contentType: "application/json",
      credentials: .basic(user: "ann", password: Secret("hunter2")))
    #expect(!"\(request)".contains("hunter2") && !"\(request)".contains("HIDDEN"))
    #expect(request.headerLines.map(\.text).contains("Authorization: Basic YW5uOmh1bnRlcjI="))
    let keyed = try UploadRequest(
      .get, address, credentials: .queryKey(name: "api_key", Secret("a&b c")))
    #expect(keyed.url.text == "https://example.org/webhook/HIDDEN?api_key=a%26b%20c")
    #expect(throws: UploadRequestError.self) {
      try UploadRequest(.post, address, headers: [.init("X-A", "b\r\nX-C: d")])
    }
    #expect(throws: UploadRequestError.self) {
      try UploadRequest(.post, address, credentials: .bearer(Secret("a\nb")))
    }
    #expect(throws: UploadRequestError.self) { try UploadRequest(.get, address, body: [1]) }
  }
}
