import Notation
import People
import Ports
import Runtime
import Store
import TestSupport
import Testing

@testable import Uplink

@Suite struct PeopleCarrierTests {
  /// Takes what it is brought, unless it does not run.
  private final class Daemon: DaemonPort {
    var runs = false
    private(set) var taken: [MailDelivery] = []

    func ask(_ request: JSONValue) throws(DaemonError) -> JSONValue {
      guard runs else { throw DaemonError("nobody answers") }
      if let mail = MailDelivery(request) { taken.append(mail) }
      return .object([])
    }
  }

  @Test("that a broker has lost everything is told at the next visit, where the daemon was away")
  func forgotten() throws {
    let folder = try ScratchFolder()
    let path = folder.file("anna.gpkg")
    try GeoPackageStore(path: path, mark: 1, keepsChangeLog: true).close()
    let daemon = Daemon()
    let carrier = PeopleCarrier(
      of: try PersonAddress("anna"), try StoreReader(path: path), daemon,
      discretion: { nil }, onLog: { _ in })
    carrier.begin()
    carrier.forgotten()
    #expect(!carrier.handOver())
    daemon.runs = true
    carrier.begin()
    #expect(carrier.handOver())
    #expect(daemon.taken == [MailDelivery(isForgotten: true)])
    carrier.begin()
    #expect(!carrier.handOver(), "once is enough")
  }
}
