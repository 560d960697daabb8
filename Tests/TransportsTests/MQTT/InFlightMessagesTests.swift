import Testing

@testable import Transports

@Suite struct InFlightMessagesTests {
  @Test("there is room for 1,000 messages, or for 8 MiB") func room() {
    var many = InFlightMessages()
    for id in Int32(1)...999 { many.add(Int64(id), as: id, bytes: 1) }
    #expect(many.hasRoom)
    many.add(1000, as: 1000, bytes: 1)
    #expect(!many.hasRoom)
    #expect(many.remove(7) == 7)
    #expect(many.remove(7) == nil)
    #expect(many.hasRoom)

    var long = InFlightMessages()
    long.add(1, as: 1, bytes: InFlightMessages.mostBytes - 1)
    #expect(long.hasRoom)
    long.add(2, as: 2, bytes: 1)
    #expect(!long.hasRoom)
    #expect(long.remove(1) == 1)
    #expect(long.hasRoom && !long.isEmpty)
    #expect(long.remove(2) == 2)
    #expect(long.isEmpty)
  }

  @Test("a number that is used again replaces its predecessor") func again() {
    var underWay = InFlightMessages()
    underWay.add(1, as: 5, bytes: InFlightMessages.mostBytes)
    underWay.add(2, as: 5, bytes: 1)
    #expect(underWay.hasRoom)
    #expect(underWay.remove(5) == 2)
    #expect(underWay.isEmpty)
  }
}
