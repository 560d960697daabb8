import Ports
import Testing

@testable import Runtime

/// The store that is opened again.
@Suite struct ReopeningStoreTests {
  @Test("after the store went, the next call opens what is there now")
  func reopens() throws {
    var openings: [Bool] = []
    var stores: [MemoryStore] = []
    let store = ReopeningStore(name: "s") { (isReturn) throws(StoreError) in
      openings.append(isReturn)
      let opened = MemoryStore()
      stores.append(opened)
      return opened
    }
    try store.write([RecordQueueTests.event(1)])
    stores[0].failure = .full("no space")
    #expect(throws: StoreError.self) { try store.write([RecordQueueTests.event(2)]) }
    #expect(openings == [false], "a full disk is no other store")
    stores[0].failure = .moved("deleted")
    #expect(throws: StoreError.self) { try store.write([RecordQueueTests.event(2)]) }
    try store.write([RecordQueueTests.event(2)])
    #expect(openings == [false, true])
    #expect(
      stores.map { $0.records } == [[RecordQueueTests.event(1)], [RecordQueueTests.event(2)]])
  }
}
