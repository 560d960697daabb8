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
    var address = "anna"
    private(set) var taken: [MailDelivery] = []

    func ask(_ request: JSONValue) throws(DaemonError) -> JSONValue {
      guard runs else { throw DaemonError("nobody answers") }
      if request == ControlRequest.status.json {
        return .object([("people", .object([("address", .string(address))]))])
      }
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

  @Test("nothing is carried for another person than the daemon's, which is told once")
  func another() throws {
    let folder = try ScratchFolder()
    let path = folder.file("anna.gpkg")
    try GeoPackageStore(path: path, mark: 1, keepsChangeLog: true).close()
    let daemon = Daemon()
    var log: [String] = []
    let carrier = PeopleCarrier(
      of: try PersonAddress("anna"), try StoreReader(path: path), daemon,
      discretion: { nil }, onLog: { log.append($0.reason) })
    func listens() -> Bool {
      carrier.begin()
      return !carrier.newTopics().isEmpty
    }
    #expect(listens(), "without a daemon the settings count")
    daemon.runs = true
    daemon.address = "ada"
    #expect(!listens() && !listens() && !carrier.hasMail)
    #expect(log.count == 1 && log[0].contains("ada in the daemon that runs; restart"), "\(log)")
    daemon.address = "anna"
    #expect(listens())
  }
}
