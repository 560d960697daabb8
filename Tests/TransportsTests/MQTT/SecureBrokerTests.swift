import BrokerStandIns
import Delivery
import TestSupport
import Testing

@testable import Transports

/// TLS, against the mosquitto that Debian ships.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct SecureBrokerTests {
  private let folder: ScratchFolder
  private let ours: Certificates

  init() throws {
    folder = try ScratchFolder()
    ours = try Certificates(in: folder)
  }

  private func start(
    _ server: (file: String, key: String), _ more: String...
  ) throws -> MosquittoProcess {
    let settings = [
      "allow_anonymous true", "cafile \(ours.authority)", "certfile \(server.file)",
      "keyfile \(server.key)",
    ]
    return try #require(try MosquittoProcess(settings + more, in: folder))
  }

  private func come(_ mosquitto: MosquittoProcess, as login: BrokerLogin) throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker(), with: mosquitto)
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtts://localhost:\(mosquitto.port)"), as: login)
    return talk
  }

  private func login(
    authority: String? = nil, _ identity: BrokerLogin.Identity = .none
  ) -> BrokerLogin {
    BrokerLogin(
      clientID: "board", authoritiesFile: authority ?? ours.authority, identity: identity)
  }

  @Test("a broker with a certificate of our authority is trusted") func trusted() throws {
    let talk = try come(try start(try ours.issue("broker")), as: login())
    #expect(talk.welcome()?.version == .five)
    #expect(talk.port.publish(BrokerMessage(topic: "t", payload: [1]), number: 1) == nil)
    #expect(talk.reason(of: 1) == .noSubscribers)
  }

  /// OpenSSL's ClientHello takes some 300 bytes and passes before the flow control is active.
  @Test("data during the TLS handshake is counted") func counted() throws {
    let talk = try come(try start(try ours.issue("broker")), as: login())
    #expect(talk.welcome() != nil)
    let passed = talk.port.traffic
    #expect(passed.sent > 400 && passed.received > 1000, "\(passed)")
  }

  @Test("an invalid certificate is reported with its fault") func certificates() throws {
    let expired = try start(try ours.issue("expired", until: "20210101000000Z"))
    #expect(try come(expired, as: login()).failure()?.cause == .certificateExpired)
    let future = try start(try ours.issue("future", from: "20980101000000Z"))
    #expect(try come(future, as: login()).failure()?.cause == .certificateNotYetValid)
    let wrong = try start(try ours.issue("wrong", names: "DNS:example.org"))
    #expect(try come(wrong, as: login()).failure()?.cause == .certificateWrongHost)
    let theirs = try Certificates(in: folder, named: "stranger")
    let foreign = try start(try ours.issue("broker"))
    #expect(
      try come(foreign, as: login(authority: theirs.authority)).failure()?.cause
        == .certificateForeign)
    let systems = BrokerLogin(clientID: "board")
    #expect(try come(foreign, as: systems).failure()?.cause == .certificateForeign)
  }

  @Test("a client's certificate admits it, and without one it is refused") func client() throws {
    let server = try ours.issue("broker")
    let mosquitto = try start(server, "require_certificate true", "use_identity_as_username true")
    let board = try ours.issue("bike", names: nil)
    let known = login(.certificate(file: board.file, key: board.key))
    #expect(try come(mosquitto, as: known).welcome() != nil)
    #expect(mosquitto.says("u'bike'"))
    // The broker reports this once TLS is established on our side, and closes the connection.
    let refused = try come(mosquitto, as: login()).failure()
    #expect(refused?.cause == .handshakeFailed, "\(String(describing: refused))")
    let none = login(.certificate(file: folder.file("none.pem"), key: folder.file("none.key")))
    #expect(try come(mosquitto, as: none).failure()?.cause == .filesUnusable)
  }

  @Test("a shared key admits a client, and another key does not") func sharedKey() throws {
    try folder.write("bike:0123456789abcdef\n", to: "keys")
    let mosquitto = try #require(
      try MosquittoProcess(
        [
          "allow_anonymous true", "psk_hint godwit", "psk_file \(folder.file("keys"))",
          "use_identity_as_username true",
        ], in: folder))
    func login(_ key: String) -> BrokerLogin {
      BrokerLogin(
        clientID: "board", identity: .sharedKey(identity: "bike", key: Secret(key)))
    }
    #expect(try come(mosquitto, as: login("0123456789abcdef")).welcome() != nil)
    let failure = try come(mosquitto, as: login("00")).failure()
    #expect(failure?.cause == .handshakeFailed)
  }

  @Test("a file that is missing or no certificate is reported") func files() throws {
    let mosquitto = try start(try ours.issue("broker"))
    try folder.write("no certificate\n", to: "text.pem")
    for name in ["none.pem", "text.pem"] {
      let failure = try come(mosquitto, as: login(authority: folder.file(name))).failure()
      #expect(failure?.cause == .filesUnusable)
      #expect(failure?.message.contains(name) == true)
    }
  }

  @Test("TLS to a port without it, and the reverse") func crossed() throws {
    let plain = try #require(try MosquittoProcess(in: folder))
    #expect(try come(plain, as: login()).failure() != nil)
    let secure = try start(try ours.issue("broker"))
    let talk = BrokerTalk(MosquittoBroker(), with: secure)
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://localhost:\(secure.port)"), as: login())
    #expect(talk.failure()?.cause == .noBroker)
  }
}
