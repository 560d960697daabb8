import Messaging
import Core
import Store
import TestSupport
import Testing

/// Feedback on a content, and its delivery to the author.
@Suite struct AuthorLetterTests {
  private let scratch: ScratchFolder
  private let anna: PersonsStore
  private let ben: PersonsStore

  init() throws {
    scratch = try ScratchFolder()
    anna = try PersonsStore("anna", in: scratch, broker: false)
    ben = try PersonsStore("ben", in: scratch, broker: false)
    try anna.done("contacts", "add", "Ben", "ben")
    try anna.done(
      "places", "add", "Bakery", "--at", "52,5", "--text", "Two for one", "--content-title", "Rolls"
    )
    try anna.done("places", "export", "--output", scratch.file("places.geojson"))
    try ben.done("places", "import", scratch.file("places.geojson"))
  }

  @Test("feedback with --letter reaches the place's owner, once, by file")
  func told() throws {
    try ben.done("contents", "comment", "Rolls", "Too dry", "--letter")
    try ben.done("contents", "rank", "Rolls", "2", "--letter")
    try ben.done("contents", "comment", "Rolls", "For me alone")
    try ben.done("letters", "export", scratch.file("ben.jsonl"))
    let taken = try anna.done("letters", "import", scratch.file("ben.jsonl"))
    #expect(taken.hasPrefix("2 imported, 0 known"), "\(taken)")
    let again = try anna.done("letters", "import", scratch.file("ben.jsonl"))
    #expect(again.hasPrefix("0 imported, 2 known"), "\(again)")
    try anna.come(52, 5)
    let letters = try anna.list("letters").compactMap { $0["id"]?.string }
    let texts = try letters.map { try anna.done("letters", "show", $0) }.joined()
    #expect(texts.contains("Rolls: Too dry") && texts.contains("Rolls: ranked 2 of 5"), "\(texts)")
    #expect(!texts.contains("For me alone"))
  }

  @Test("if no letter can be delivered nothing is counted, and the reason is given")
  func refused() throws {
    let own = try anna.refusal("contents", "rank", "Rolls", "5", "--letter")
    #expect(own.contains("Bakery is yours"))
    try anna.done("contents", "rank", "Rolls", "5")
    try ben.done("places", "edit", "Bakery", "--owner", "The Baker")
    let nobody = try ben.refusal("contents", "rank", "Rolls", "5", "--letter")
    #expect(nobody.contains("The Baker, is not a valid address for letters"), "\(nobody)")
    try ben.done("contents", "rank", "Rolls", "5")
  }

  @Test("a rank is not used up if there is no room for its letter") func noRoom() throws {
    let me = try PersonAddress("ben")
    let circle = try LetterCircle(centre: Coordinate(latitude: 53, longitude: 6))
    var messaging = MessagingState(of: me, hasBroker: false, restoring: [])
    let store = try GeoPackageStore(path: ben.path)
    for number in 0..<MessagingLimits.outgoing {
      let bytes = Array(repeating: UInt8(0), count: 14) + [UInt8(number >> 8), UInt8(number & 255)]
      let letter = try Letter(
        id: try #require(UniqueID(bytes: bytes)), from: me, to: .people([PersonAddress("anna")]),
        at: .circle(circle), written: nil, expires: nil, text: "x")
      try store.changeMessages { _ in
        messaging.step(.wrote(letter), at: .zero, date: UTCInstant(seconds: 1_790_000_000)).change
      }
    }
    try store.close()
    let refusal = try ben.refusal("contents", "rank", "Rolls", "5", "--letter")
    #expect(refusal.contains("letter"), "\(refusal)")
    try ben.done("contents", "rank", "Rolls", "5")
  }
}
