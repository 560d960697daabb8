import Records
import Core
import Testing

@testable import Places

@Suite struct PlaceContentTests {
  private static func welcome(_ text: String = "welcome") -> PlaceContent {
    PlaceContent(mediaType: "text/plain", text: text)
  }

  private static func ids(_ place: UInt8, _ contents: [PlaceContent]) throws -> [UniqueID] {
    let place = try Place(id: Drawing.id(place), Drawing.details { $0.contents = contents })
    let ids = place.contents.compactMap(\.id)
    #expect(ids.count == contents.count && ids == place.items.map(\.id))
    return ids
  }

  @Test("a content without an id gets the same one wherever the place is read")
  func stable() throws {
    let contents = [Self.welcome(), Self.welcome("bye")]
    let ids = try Self.ids(1, contents)
    let (again, reversed) = (try Self.ids(1, contents), try Self.ids(1, contents.reversed()))
    let elsewhere = try Self.ids(2, contents)
    #expect(ids == again)
    #expect(ids.reversed() == reversed, "in whatever order")
    #expect(Set(ids + elsewhere).count == 4, "another place, other contents")
    // Boards with counts have stored these ids, so they must never change.
    #expect(
      ids.map(\.description) == [
        "3cd64f97-f0f0-8427-8490-cb80f6f38931", "8abab238-a5e2-8e48-b368-2c55b1da9cb7",
      ])
  }

  @Test("every non-empty part changes the id, and no two parts collide")
  func distinct() throws {
    var contents = [Self.welcome(), Self.welcome("welcom"), Self.welcome("")]
    func add(_ change: (inout PlaceContent) -> Void) {
      var content = Self.welcome()
      change(&content)
      contents.append(content)
    }
    add { $0.title = "e" }
    add { $0.type = "e" }
    add { $0.uri = "e:1" }
    add { $0.mediaType = "text/html" }
    add { $0.happening = .init(from: UTCInstant(seconds: 1), until: UTCInstant(seconds: 2)) }
    add {
      $0.happening = .init(
        from: UTCInstant(seconds: 1), until: UTCInstant(seconds: 2), venue: "here")
    }
    let ids = try Self.ids(1, contents)
    #expect(Set(ids).count == contents.count)
    #expect(ids.allSatisfy { $0.description.dropFirst(14).first == "8" }, "version 8")
  }

  @Test("equal contents get distinct ids, and a given id is kept")
  func repeated() throws {
    let twice = try Self.ids(1, [Self.welcome(), Self.welcome()])
    #expect(twice[0] != twice[1])
    var given = Self.welcome()
    given.id = twice[0]
    #expect(try Self.ids(1, [given, Self.welcome()]) == twice)
    #expect(try Self.ids(1, [Self.welcome(), given]) == [twice[1], twice[0]])
  }

  @Test("repeating the same contents is not a change") func unchanged() throws {
    let details = Drawing.details { $0.contents = [Self.welcome()] }
    let place = try Place(id: Drawing.id(1), details)
    #expect(try place.changed(to: details) == place)
  }

  @Test("people see the title, otherwise the first line or the address") func titles() throws {
    var contents = [
      Self.welcome("Rolls\nfresh"), PlaceContent(uri: "https://example.org/", mediaType: "a/b"),
      Self.welcome(), Self.welcome(String(repeating: "x", count: 100)),
    ]
    contents[2].title = "Hello"
    let place = try Place(id: Drawing.id(1), Drawing.details { $0.contents = contents })
    #expect(
      place.items.map(\.title)
        == ["Rolls", "https://example.org/", "Hello", String(repeating: "x", count: 60)])
  }

  @Test("a fault is reported with its place") func faults() throws {
    func path(_ change: (inout PlaceContent) -> Void) -> String? {
      var content = Self.welcome()
      change(&content)
      do {
        _ = try Place(
          id: Drawing.id(1), Drawing.details { $0.contents = [Self.welcome(), content] })
        return nil
      } catch { return "\(error.path) \(error.fault)" }
    }
    let long = String(repeating: "x", count: 201)
    let time = (UTCInstant(seconds: 1), UTCInstant(seconds: 1))
    #expect(path { $0.title = "a\nb" } == "contents[1].title malformed")
    #expect(path { $0.title = " " } == "contents[1].title missing")
    #expect(path { $0.type = long } == "contents[1].type tooLong")
    #expect(
      path { $0.happening = .init(from: time.0, until: time.1, venue: long) }
        == "contents[1].venue tooLong")
    let id = UniqueID(bytes: Array(repeating: 7, count: 16))
    do {
      var content = Self.welcome()
      content.id = id
      _ = try Place(id: Drawing.id(1), Drawing.details { $0.contents = [content, content] })
      Issue.record("taken twice")
    } catch { #expect(error.path == "contents[1].id" && error.fault == .repeated) }
    #expect(
      path {
        $0.text = nil; $0.title = "Only this"
      } == nil)
  }

  @Test("more contents than allowed are refused before inspection")
  func tooMany() throws {
    let many = Array(repeating: Self.welcome(), count: PlaceLimits.contents + 1)
    do {
      _ = try Place(id: Drawing.id(1), Drawing.details { $0.contents = many })
      Issue.record("taken")
    } catch {
      #expect(error.description == "contents: 51 contents: keep at most 50")
    }
  }
}
