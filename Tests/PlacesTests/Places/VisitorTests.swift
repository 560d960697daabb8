import Core
import Testing

@testable import Places

/// Visibility of places, and their followers.
@Suite struct VisitorTests {
  private static func place(
    _ number: UInt8 = 1, _ change: (inout PlaceDetails) -> Void = { _ in }
  ) throws -> Place {
    try Place(id: Drawing.id(number), Drawing.details(change))
  }

  @Test("a person follows the explicitly selected places") func explicit() throws {
    let place = try Self.place { $0.followers.names = ["rui"] }
    #expect(Visitor("rui").follows(place))
    #expect(!Visitor("ana").follows(place), "its owner does not, unless they say so")
    #expect(!Visitor("rui", visited: [place]).follows(try Self.place()))
  }

  @Test("\"me\" is the owner of the store, under any name") func keeper() throws {
    func guarded(_ owner: String, _ people: [String]) throws -> Place {
      try Self.place {
        $0.owner = owner
        $0.visibility = .only(people: people, groups: [])
        $0.followers.names = people
      }
    }
    #expect(Visitor("rui").sees(try guarded("me", ["ben"])))
    #expect(Visitor("rui").sees(try guarded("ana", ["me"])))
    #expect(Visitor("rui").follows(try guarded("ana", ["me"])))
    #expect(Visitor("rui").sees(try guarded("rui", ["ben"])))
    #expect(!Visitor("rui").sees(try guarded("ana", ["ben"])))
  }

  @Test("a frequent visitor follows the place and its kind, if the place requests that")
  func inferred() throws {
    let bakery = try Self.place(1) { $0.tags = ["food"] }
    let visitor = Visitor("rui", visited: [bakery])
    func asking(_ number: UInt8, _ tags: [String]) throws -> Place {
      try Self.place(number) {
        $0.tags = tags
        $0.followers.isInferredFromVisits = true
      }
    }
    #expect(visitor.follows(try asking(1, [])))
    #expect(visitor.follows(try asking(2, ["new", "food"])))
    #expect(!visitor.follows(try asking(2, ["shoes"])))
    #expect(!visitor.follows(bakery), "it does not ask")
    #expect(!Visitor("rui").follows(try asking(2, ["food"])))
  }

  @Test("a selection of followed places is part of the selection") func selection() throws {
    let followed = PlaceSelection.followed(.tagged("food"), by: Visitor("rui"))
    let place = try Self.place {
      $0.tags = ["food"]
      $0.followers.names = ["rui"]
    }
    #expect(followed.contains(place))
    #expect(!followed.contains(try Self.place { $0.tags = ["food"] }))
    #expect(!followed.contains(try Self.place { $0.followers.names = ["rui"] }))
  }
}
