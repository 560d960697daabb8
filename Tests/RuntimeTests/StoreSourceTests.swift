import Ports
import Testing

@testable import Runtime

/// Opening a store again.
@Suite struct StoreSourceTests {
  @Test("after the store disappears, the next call opens the new one")
  func reopens() throws {
    var openings: [Bool] = []
    var stores: [MemoryStore] = []
    let store = StoreSource(name: "s") { (isReturn) throws(PortError) in
      openings.append(isReturn)
      let opened = MemoryStore()
      stores.append(opened)
      return opened
    }
    try store.write([RecordQueueTests.event(1)])
    stores[0].failure = .full("no space")
    #expect(throws: PortError.self) { try store.write([RecordQueueTests.event(2)]) }
    #expect(openings == [false], "a full disk is no other store")
    stores[0].failure = .moved("deleted")
    #expect(throws: PortError.self) { try store.write([RecordQueueTests.event(2)]) }
    try store.write([RecordQueueTests.event(2)])
    #expect(openings == [false, true])
    #expect(
      stores.map { $0.records } == [[RecordQueueTests.event(1)], [RecordQueueTests.event(2)]])
  }
}
