import Delivery
import Core
import Testing

/// Many requests, and the reuse of connections.
@Suite struct WebUploaderTests {
  @Test("a thousand requests share one connection") func keptAlive() throws {
    let server = try WebServer()
    let uploading = Uploading()
    for _ in 0..<1000 {
      #expect(try uploading.answer(server.url("json")).status == 200)
    }
    #expect(try uploading.answer(server.url("connections")).text == "1")
  }

  @Test("the number of simultaneous requests is limited, and each has one result") func bounded()
    throws
  {
    let server = try WebServer()
    let uploading = Uploading { $0.mostAtOnce = 5 }
    let request = try Uploading.request(server.url("json"))
    var begun: [Int] = []
    while let number = uploading.uploader.begin(request) { begun.append(number) }
    #expect(begun.count == 5 && !uploading.uploader.hasRoom)
    let ended = try begun.map { _ in try uploading.next() }
    #expect(ended.map(\.number).sorted() == begun)
    #expect(try ended.allSatisfy { try $0.result.get().status == 200 })
    #expect(uploading.uploader.poll() == nil && uploading.uploader.hasRoom)
    #expect(try uploading.answer(server.url("connections")).text == "5")
  }

  @Test("a hanging request blocks no other; once abandoned, it has no result") func cancelled()
    throws
  {
    let server = try WebServer()
    let uploading = Uploading { $0.mostAtOnce = 2 }
    let request = try Uploading.request(server.url("silent"))
    let hanging = try #require(uploading.uploader.begin(request))
    #expect(try uploading.answer(server.url("json")).status == 200)
    #expect(uploading.uploader.awaitsReply)
    uploading.uploader.cancel(hanging)
    uploading.uploader.cancel(hanging)
    uploading.uploader.cancel(99)
    #expect(uploading.uploader.poll() == nil && !uploading.uploader.awaitsReply)
    #expect(try uploading.answer(server.url("json")).status == 200)
  }

  @Test("an uncollected result goes with the request") func cancelledLate() throws {
    let uploading = Uploading { $0.mostAtOnce = 2 }
    let request = try Uploading.request("http://127.0.0.1:1/")
    let numbers = [uploading.uploader.begin(request), uploading.uploader.begin(request)]
    let first = try uploading.next()
    for number in numbers { uploading.uploader.cancel(try #require(number)) }
    #expect(numbers.contains(first.number) && uploading.uploader.poll() == nil)
  }

  @Test("it waits for nothing before the first request or after the last")
  func idle() throws {
    let server = try WebServer()
    let uploading = Uploading()
    #expect(uploading.uploader.interest == nil && uploading.uploader.due == nil)
    _ = try uploading.answer(server.url("json"))
    #expect(uploading.uploader.due == nil)
    uploading.uploader.close()
    #expect(uploading.uploader.interest == nil)
    #expect(try uploading.answer(server.url("json")).status == 200, "it begins anew")
    #expect(uploading.uploader.interest?.opening == 2)
  }

  @Test("a server that disappears between two requests is found again") func restarted() throws {
    let uploading = Uploading()
    var server: WebServer? = try WebServer()
    #expect(try uploading.answer(try #require(server).url("json")).status == 200)
    let gone = try #require(server).url("json")
    server = nil
    #expect(try uploading.failure(gone) != nil)
    let next = try WebServer()
    #expect(try uploading.answer(next.url("json")).status == 200)
  }
}
