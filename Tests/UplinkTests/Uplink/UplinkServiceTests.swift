import BrokerStandIns
import Delivery
import Glibc
import Transports
import Core
import Platform
import ReceiverStandIns
import Records
import Store
import TestSupport
import Testing
import Uplink

/// `godwit uplink run --service` as systemd runs it, with the mosquitto that Debian ships.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct UplinkServiceTests {
  private let folder: ScratchFolder
  private let mosquitto: MosquittoProcess
  private static let start = UTCInstant(seconds: 1_777_593_600)

  init() throws {
    folder = try ScratchFolder()
    mosquitto = try #require(try MosquittoProcess(in: folder))
  }

  private func point(_ second: Int) -> Record { point(Self.start + Seconds(Double(second))) }

  private func point(_ time: UTCInstant) -> Record {
    .trackPoint(
      TrackPoint(
        location: Location(
          time: time,
          position: Coordinate(latitude: 52.5, longitude: 5.25), accuracy: 4.4, speed: nil,
          track: nil, altitude: nil, source: .gnss), reason: .scheduled))
  }

  /// As a daemon opens it.
  private func store(mark: UInt32) throws -> GeoPackageStore {
    try GeoPackageStore(path: folder.file("track.gpkg"), mark: mark, keepsChangeLog: true)
  }

  private func settings(delay: Int, _ more: String = "") throws -> String {
    try folder.write(
      """
      [device]
      name = "bike"
      [control]
      socket = "\(folder.file("control.sock"))"
      [store]
      path = "\(folder.file("track.gpkg"))"
      [uplink]
      path = "\(folder.file("outbox/uplink.db"))"
      socket = "\(folder.file("call.sock"))"
      user = "ann"
      delay_s = \(delay)
      \(more)
      [uplink.mqtt]
      brokers = "mqtt://localhost:\(mosquitto.port)"
      owntracks = false
      home_assistant = true
      """, to: "godwit.toml")
    return folder.file("godwit.toml")
  }

  private func service(delay: Int) throws -> ReceiverStandIns.ChildProcess {
    let started = ReceiverStandIns.ChildProcess(
      BuiltProgram.path("godwit"),
      [
        "uplink", "run", "--service", "--board", "/dev/null", "--config",
        try settings(delay: delay),
      ])
    return try #require(started)
  }

  private func listen(_ topics: String...) throws -> BrokerTalk {
    try BrokerTalk.subscribed(at: mosquitto, to: topics)
  }

  @Test("a persistent uplink receives new records and Home Assistant's request on one connection")
  func stays() throws {
    let home = try listen("homeassistant/device/#", "godwit/#")
    let store = try store(mark: 1)
    try store.write([point(1)])
    let service = try service(delay: 0)
    let first = try #require(home.message(), "nothing came: \(service.text)")
    let second = try #require(home.message())
    #expect(
      Set([first.topic, second.topic])
        == ["homeassistant/device/godwit_ann_bike/config", "godwit/ann/bike/position"])
    try store.write([point(2)])
    try UplinkNotifier(folder.file("call.sock")).notify(.records)
    let third = try #require(home.message(), "nothing came: \(service.text)")
    #expect(third.topic == "godwit/ann/bike/position")
    #expect(String(decoding: third.payload, as: UTF8.self).contains("2026-05-01T00:00:02Z"))
    let online = BrokerMessage(
      topic: HomeAssistantDispatch.statusTopic, payload: HomeAssistantDispatch.online)
    #expect(home.port.publish(online, number: 1) == nil)
    #expect(home.message()?.topic == "homeassistant/device/godwit_ann_bike/config")
    service.signal(SIGTERM)
    #expect(service.exitCode(within: 20) == 0, "\(service.text)")
    #expect(FileStatus(path: folder.file("call.sock")) == nil)
  }

  @Test("a persistent uplink uses other settings when the daemon has read them") func rereads()
    throws
  {
    let home = try listen("godwit/#")
    let store = try store(mark: 1)
    try store.write([point(1)])
    let service = try service(delay: 0)
    let first = try #require(home.message(), "nothing came: \(service.text)")
    #expect(String(decoding: first.payload, as: UTF8.self).contains("5.25"))
    _ = try settings(delay: 0, "privacy = { round_m = 100000 }")
    try store.write([point(2)])
    try UplinkNotifier(folder.file("call.sock")).notify(.settings)
    let second = try #require(home.message(), "nothing came: \(service.text)")
    let text = String(decoding: second.payload, as: UTF8.self)
    #expect(text.contains("2026-05-01T00:00:02Z") && !text.contains("5.25"), "\(text)")
    service.signal(SIGTERM)
    #expect(service.exitCode(within: 20) == 0, "\(service.text)")
  }

  @Test("a persistent uplink notices a deleted outbox, and respects a pause in the new one")
  func outboxGone() throws {
    let home = try listen("godwit/#")
    let store = try store(mark: 1)
    try store.write([point(1)])
    let service = try service(delay: 0)
    #expect(home.message() != nil, "nothing came: \(service.text)")
    // At once: file by file, the last ones would be those of the new outbox.
    _ = try run("sh", "-c", "cd '\(folder.path)' && mv outbox away && mkdir -p outbox")
    let pause = try run(
      BuiltProgram.path("godwit"), "uplink", "pause", "--config", folder.file("godwit.toml"))
    #expect(pause.status == 0, "\(pause.output)")
    let paused = BootClock.systemDate + 1
    try store.write([point(paused)])
    #expect(throws: Never.self, "\(service.text)") {
      try UplinkNotifier(folder.file("call.sock")).notify(.records)
    }
    let said: String? = home.next(within: 5) {
      guard case .received(let message) = $0 else { return nil }
      let text = String(decoding: message.payload, as: UTF8.self)
      return text.contains(ISO8601.text(paused, digits: 0)) ? text : nil
    }
    #expect(said == nil)
    service.signal(SIGTERM)
    #expect(service.exitCode(within: 20) == 0, "\(service.text)")
    #expect(service.text.contains("was deleted, moved or replaced while it was in use"))
  }

  @Test("a persistent uplink continues with a daemon that begins to write later") func outlives()
    throws
  {
    let home = try listen("godwit/#")
    try store(mark: 1).write([point(1)])
    let service = try service(delay: 0)
    let first = try #require(home.message(), "nothing came: \(service.text)")
    #expect(first.topic == "godwit/ann/bike/position")
    let store = try store(mark: 2)
    try store.write([point(2)])
    try UplinkNotifier(folder.file("call.sock")).notify(.records)
    let second = try #require(home.message(), "nothing came: \(service.text)")
    #expect(String(decoding: second.payload, as: UTF8.self).contains("2026-05-01T00:00:02Z"))
    service.signal(SIGTERM)
    #expect(service.exitCode(within: 20) == 0, "\(service.text)")
  }

  @Test("recent records wait for their delay, unless there is a call")
  func waits() throws {
    let store = try store(mark: 1)
    try store.write([point(1)])
    let early = try service(delay: 900)
    #expect(early.exitCode(within: 20) == 0, "\(early.text)")
    #expect(!early.text.contains("handed-on"))
  }

  @Test("requests during the board's sleep are answered at its next connection")
  func asked() throws {
    let home = try listen("home/answers")
    let store = try store(mark: 1)
    try store.write([point(1)])
    let settings = try settings(
      delay: 900, "requests = \"read\"\nanswer_topics = [\"home/answers\"]")
    func visit() throws {
      let started = ReceiverStandIns.ChildProcess(
        BuiltProgram.path("godwit"),
        ["uplink", "run", "--board", "/dev/null", "--config", settings])
      let run = try #require(started)
      #expect(run.exitCode(within: 20) == 0, "\(run.text)")
    }
    // From then on the broker keeps requests.
    try visit()
    let request = BrokerMessage(
      topic: "godwit/ann/bike/request", payload: Array(#"{"id":"a1","do":"position"}"#.utf8),
      responseTopic: "home/answers", correlation: [7, 8])
    #expect(home.port.publish(request, number: 1) == nil)
    #expect(home.reason(of: 1)?.isSuccess == true)
    try visit()
    let answer = try #require(home.message())
    #expect(answer.correlation == [7, 8])
    let said = String(decoding: answer.payload, as: UTF8.self)
    #expect(said.hasPrefix(#"{"id":"a1","do":"position","ok":true,"position":{"time":"#), "\(said)")
  }
}
