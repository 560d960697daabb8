import Platform
import Ports
import Core
import ReceiverStandIns
import TestSupport
import Testing

@testable import Hardware

/// Custody of the device, against a control socket controlled by the test.
@Suite struct GpsdHandoverTests {
  static let device = "/dev/ttyAMA0"

  static func settings(
    control: String?, device: String? = device, givesBack: Bool = true, host: String = "localhost"
  ) -> GpsdSettings {
    GpsdSettings(host: host, port: 2947, device: device, control: control, givesBack: givesBack)
  }

  @Test("a device is handed to gpsd without waiting for the answer")
  func deviceIsGivenAndAwaitedByTheLoop() throws {
    let control = FakeGpsdControl()
    var custody = GpsdHandover(Self.settings(control: control.path))
    let taking = custody.add()
    let request = try #require(taking)
    #expect(control.request() == "+/dev/ttyAMA0\r\n")
    #expect(request.outcome == nil && !readable(request.descriptor, within: 0))
    control.answer("OK\n")
    #expect(readable(request.descriptor))
    #expect(request.outcome == .done)
  }

  @Test(
    "gpsd's answer determines whether the request was done or refused",
    arguments: zip(["{\"class\":\"ACK\"}\r\n", "HTTP/1.0 400\r\n"], [true, false]))
  func answerIsReadFromTheSocket(answer: String, isDone: Bool) {
    let control = FakeGpsdControl()
    let request = GpsdControlRequest(GpsdCommand.add(Self.device), socket: control.path)
    #expect(control.request() != nil)
    control.answer(answer)
    #expect(readable(request.descriptor))
    #expect(request.outcome == (isDone ? .done : .refused))
  }

  @Test("a gpsd that ends before it answers is unreachable")
  func gpsdThatEndsBeforeItAnswersIsUnreachable() throws {
    let control = FakeGpsdControl()
    let request = GpsdControlRequest(GpsdCommand.add(Self.device), socket: control.path)
    #expect(control.request() != nil)
    control.hangUp()
    #expect(readable(request.descriptor))
    #expect(request.outcome == .unreachable(Int32(104)))  // ECONNRESET
  }

  @Test(
    "a silent control socket is waited for once, up to the timeout", .timeLimit(.minutes(1)))
  func silentControlSocketHoldsUpForItsBoundOnly() throws {
    let control = FakeGpsdControl()
    var custody = GpsdHandover(Self.settings(control: control.path))
    _ = custody.add()
    let clock = ContinuousClock()
    let waited = clock.measure { custody.release() }
    let timeout = Duration.seconds(GpsdControlRequest.timeout.value)
    #expect(waited >= timeout && waited < timeout + .milliseconds(500))
    let words = try #require(custody.warning)
    #expect(words.contains(control.path) && words.contains(Self.device))
    // After a timeout there is no second request.
    #expect(clock.measure { custody.release() } < .milliseconds(100))
  }

  /// A gpsd that needs nearly a second for each of a hundred requests.
  @Test("the total time of many slow requests is limited") func manyRequestsTogetherHaveABound() {
    let control = FakeGpsdControl()
    let custody = GpsdHandover(Self.settings(control: control.path))
    let clock = ContinuousClock()
    let end = BootClock.now + 0.1
    var errors = 0
    let waited = clock.measure {
      for _ in 0..<100 {
        do { _ = try custody.pass([0xb5], before: end) } catch { errors += 1 }
      }
    }
    #expect(errors == 100 && waited >= .milliseconds(100) && waited < .milliseconds(900))
  }

  @Test("the full queue of a stuck gpsd blocks nothing")
  func fullQueueOfAStuckGpsdHoldsUpNobody() {
    let control = FakeGpsdControl()
    var requests: [GpsdControlRequest] = []
    var last: GpsdControlRequest.Outcome?
    for _ in 0..<20 where last == nil {
      requests.append(GpsdControlRequest("-/dev/a\r\n", socket: control.path))
      last = requests.last?.outcome
    }
    #expect(last == .unreachable(Int32(11)))  // EAGAIN
  }

  @Test("without a control socket the failure names the remedy")
  func withoutAControlSocketItSaysSoOnceAndWhatToDo() throws {
    let path = "/tmp/godwit-no-such-socket"
    var custody = GpsdHandover(Self.settings(control: path))
    let taking = custody.add()
    #expect(taking == nil)
    let words = try #require(custody.warning)
    #expect(words.contains("probes the silent line") && words.contains("receiver.gpsd_control"))
    custody.release()
    #expect(custody.warning == words)
  }

  @Test("gpsd is not requested to release a device that it may keep")
  func nothingIsAskedWhereNothingIsToBeGivenBack() {
    let control = FakeGpsdControl()
    let remote = Self.settings(control: control.path, host: "192.0.2.1")
    for settings in [Self.settings(control: nil), remote] {
      var custody = GpsdHandover(settings)
      let taking = custody.add()
      #expect(taking == nil)
      custody.release()
      #expect(custody.warning == nil)
    }
    var keeping = GpsdHandover(Self.settings(control: control.path, givesBack: false))
    let taking = keeping.add()
    #expect(taking != nil)
    #expect(control.request() == "+/dev/ttyAMA0\r\n")
    keeping.release()
    #expect(keeping.warning == nil)
  }

  @Test("gpsd's only device is learnt and stays known")
  func onlyDeviceIsLearntAndStaysKnown() throws {
    let control = FakeGpsdControl()
    var custody = GpsdHandover(Self.settings(control: control.path, device: nil))
    let early = custody.add()
    #expect(early == nil, "no device is known yet")
    var ending = custody.received(.all([Self.device]))
    #expect(ending == nil && custody.warning == nil)
    let taking = custody.add()
    #expect(taking != nil)
    #expect(control.request() == "+/dev/ttyAMA0\r\n")
    ending = custody.received(.all([]))
    guard case .missing(let words)? = ending else {
      Issue.record("gpsd did not take it back, and nobody is told")
      return
    }
    #expect(words.contains(Self.device))
  }

  @Test("no device and several devices are reported with the setting to make")
  func noDeviceAndSeveralAreTold() throws {
    let control = FakeGpsdControl()
    var custody = GpsdHandover(Self.settings(control: control.path, device: nil))
    var ending = custody.received(.all([]))
    #expect(ending == nil)
    #expect(custody.warning?.contains("receiver.gpsd_device") == true)
    ending = custody.received(.present("/dev/a"))
    #expect(ending == nil && custody.warning == nil)
    ending = custody.received(.all(["/dev/a", "/dev/b"]))
    #expect(ending == nil)
    let words = try #require(custody.warning)
    #expect(words.contains("/dev/a, /dev/b") && words.contains("receiver.gpsd_device"))
  }

  @Test("the release of the device ends the connection, other releases do not")
  func releasedDeviceEndsTheConnectionOthersDoNot() {
    var custody = GpsdHandover(Self.settings(control: nil))
    var ending = custody.received(.released("/dev/other"))
    #expect(ending == nil)
    ending = custody.received(.released(Self.device))
    guard case .lost(let words)? = ending else {
      Issue.record("the end of the device went unnoticed")
      return
    }
    #expect(words.contains(Self.device))
  }

  @Test("reports list the present devices, and hostile paths are left out")
  func reportsTellTheDevices() {
    let report = { (text: String) in GpsdDevices.report(Array(text.utf8)) }
    #expect(
      report(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":0}]}"#)
        == .all(["/dev/a"]))
    #expect(report(#"{"class":"DEVICES","devices":[]}"#) == .all([]))
    #expect(report(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == .released("/dev/a"))
    #expect(
      report(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-05-01T12:00:00.000Z"}"#)
        == .present("/dev/a"))
    // Hostile paths would become commands.
    #expect(
      report(#"{"class":"DEVICES","devices":[{"path":"/dev/a\r\n-/dev/b"},{"path":"a"},7,{}]}"#)
        == .all([]))
    #expect(report(#"{"class":"DEVICE","path":"/dev/a=b","activated":0}"#) == nil)
    #expect(report(#"{"class":"DEVICE""#) == nil)
    #expect(report(#"{"class":"TPV","device":"/dev/a"}"#) == nil)
  }
}

/// `RealGpsdTests` queries the system's gpsd; these are the answers of all versions in Debian.
@Suite struct GpsdControlRequestTests {
  @Test(
    "both forms of answers are understood",
    arguments: [
      ("OK\n", true), ("{\"class\":\"ACK\"}\n", true), ("ERROR\n", false),
      ("{\"class\":\"ERROR\"}\n", false), ("", false), ("O", false),
    ])
  func bothWaysOfAnsweringAreUnderstood(answer: String, isDone: Bool) {
    #expect(GpsdControlRequest.agrees(Array(answer.utf8)) == isDone)
  }
}
