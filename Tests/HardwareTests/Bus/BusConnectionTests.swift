import Hardware
import BusStandIns
import Glibc
import Platform
import Core
import ReceiverStandIns
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
final class BusConnectionTests {
  private static let service = "org.example.Service"
  /// How far the connection's clock is ahead, in seconds.
  private var ahead = Seconds(0)

  private func connection(to address: String) -> BusConnection {
    BusConnection(to: Self.service, address: address) { [unowned self] in BootClock.now + ahead }
  }

  /// The next event as the loop would receive it.
  private func next(_ bus: BusConnection, within limit: Seconds = 10) -> BusEvent? {
    let end = BootClock.now + limit
    while true {
      if let event = bus.next() { return event }
      guard BootClock.now < end else { return nil }
      let due = bus.due.map { $0 - ahead }
      let interest = bus.interest
      guard interest != nil || due != nil else { return nil }
      _ = BootClock.wait(
        for: interest?.descriptor, writes: interest?.writes ?? false,
        until: min(due ?? end, end))
    }
  }

  private func isThere(_ event: BusEvent?) -> Bool? {
    guard case .service(let isThere)? = event else { return nil }
    return isThere
  }

  private func reason(_ event: BusEvent?) -> String? {
    guard case .unavailable(let reason)? = event else { return nil }
    return reason
  }

  private func refusal(_ event: BusEvent?) -> BusRefusal? {
    guard case .refusal(let refusal, _)? = event else { return nil }
    return refusal
  }

  private func answer(_ event: BusEvent?) -> BusMessage? {
    guard case .answer(let message, _)? = event else { return nil }
    return message
  }

  private func mock(on bus: PrivateBus) throws -> MockedService {
    try MockedService(
      Self.service, path: "/org/example", interface: "org.example.Interface", on: bus)
  }

  @Test("a missing bus is reported once, and connected when it appears")
  func absentBus() throws {
    let bus = try PrivateBus(isRunning: false)
    let connection = connection(to: bus.address)
    let advice = "there is no bus at \(bus.address): install dbus"
    #expect(reason(next(connection))?.hasPrefix(advice) == true)
    #expect(connection.due == nil)
    #expect(connection.interest != nil)
    try bus.start()
    #expect(isThere(next(connection)) == false)
    #expect(connection.isReady)
  }

  @Test("a bus that ends is reported and reconnected")
  func endingBus() throws {
    let bus = try PrivateBus()
    let connection = connection(to: bus.address)
    #expect(isThere(next(connection)) == false)
    let opening = try #require(connection.interest?.opening)
    bus.end()
    #expect(reason(next(connection)) != nil)
    #expect(!connection.isReady)
    #expect(connection.interest == nil)
    try bus.start()
    ahead = 6
    #expect(isThere(next(connection)) == false)
    #expect(try #require(connection.interest?.opening) > opening)
  }

  private static func listener(at path: String) throws -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 64) == 0)
    return listener
  }

  @Test("a peer that closes before authentication is retried")
  func hangsUp() throws {
    let folder = try ScratchFolder()
    let listener = try Self.listener(at: folder.file("bus"))
    defer { close(listener) }
    let connection = connection(to: "unix:path=\(folder.file("bus"))")
    while connection.next() != nil {}
    let client = accept(listener, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = read(client, &bytes, bytes.count)
    close(client)
    #expect(reason(next(connection))?.contains("cannot be used") == true)
    let again = try #require(connection.due)
    ahead += again - (BootClock.now + ahead) + 1
    #expect(connection.next() == nil && connection.interest != nil)
    let second = accept(listener, nil, nil)
    #expect(second >= 0)
    close(second)
  }

  @Test("signals from others than the service and the bus are ignored")
  func spoofed() throws {
    let bus = try PrivateBus()
    let service = try mock(on: bus)
    let connection = connection(to: bus.address)
    #expect(isThere(next(connection)) == true)
    connection.listen(
      to: BusSignal("org.example.Interface", "Told", at: "/org/example"), tag: 7)
    let spoof = """
      import dbus, sys
      from dbus.lowlevel import SignalMessage
      bus = dbus.bus.BusConnection('\(bus.address)')
      names = [name for name in bus.list_names() if name.startswith(':')]
      for name in names:
        gone = SignalMessage('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'NameOwnerChanged')
        gone.append('org.example.Service', ':1.0', '', signature='sss')
        told = SignalMessage('/org/example', 'org.example.Interface', 'Told')
        for message in (gone, told):
          message.set_destination(name)
          bus.send_message(message)
      bus.flush()
      """
    let spoofer = try #require(ChildProcess("/usr/bin/python3", ["-c", spoof]))
    #expect(spoofer.exitCode(within: 30) == 0)
    try service.run(
      "self.EmitSignal('org.example.Interface', 'Told', 's', ['it is me'])")
    guard case .signal(let message, 7)? = next(connection) else {
      return #expect(Bool(false), "the service's own signal comes first")
    }
    #expect(message.text() == "it is me")
  }

  @Test("a silent peer is given up, and retried ever less often")
  func silentBus() throws {
    let folder = try ScratchFolder()
    let path = folder.file("bus")
    let listener = try Self.listener(at: path)
    defer { close(listener) }
    let connection = connection(to: "unix:path=\(path)")
    var pauses: [Double] = []
    for attempt in 0..<12 {
      while connection.next() != nil {}
      let start = try #require(connection.due)
      #expect(connection.interest != nil)
      ahead += start - (BootClock.now + ahead) + 1
      let event = connection.next()
      // Reported only once.
      #expect((reason(event) != nil) == (attempt == 0))
      #expect(connection.interest == nil)
      let again = try #require(connection.due)
      pauses.append(((again - (BootClock.now + ahead)).value / 5).rounded() * 5)
      ahead += again - (BootClock.now + ahead) + 1
    }
    #expect(pauses.prefix(4) == [5, 10, 20, 40])
    #expect(pauses.last == 3600)
  }

  @Test("a service appears, disappears and appears again")
  func service() throws {
    let bus = try PrivateBus()
    let connection = connection(to: bus.address)
    #expect(isThere(next(connection)) == false)
    var service: MockedService? = try mock(on: bus)
    #expect(isThere(next(connection)) == true)
    _ = service
    service = nil
    #expect(isThere(next(connection)) == false)
    service = try mock(on: bus)
    #expect(isThere(next(connection)) == true)
  }

  @Test("pending calls to a service that ended are void") func goesUnasked() throws {
    let bus = try PrivateBus()
    let connection = connection(to: bus.address)
    var service: MockedService? = try mock(on: bus)
    #expect(isThere(next(connection)) == true)
    service?.freeze()
    connection.call(.all(of: "org.example", at: "/org/example"), tag: 1)
    #expect(connection.isPending(for: 1))
    service = nil
    #expect(isThere(next(connection)) == false)
    #expect(!connection.isPending(for: 1) && connection.due == nil)
    #expect(next(connection, within: 0.3) == nil)
    // Calls made meanwhile are refused.
    connection.call(.all(of: "org.example", at: "/org/example"), tag: 2)
    #expect(refusal(next(connection)) != nil)
  }

  @Test("a refusal has its name, and a call to a silent service times out")
  func refusals() throws {
    let bus = try PrivateBus()
    let service = try mock(on: bus)
    let connection = connection(to: bus.address)
    #expect(isThere(next(connection)) == true)
    connection.call(BusCall("/org/example", "org.example.Interface", "Nothing"), tag: 1)
    let unknown = try #require(refusal(next(connection)))
    #expect(unknown.isUnknown && !unknown.isDenial)
    try service.run(
      "self.AddMethod('org.example.Interface', 'Denied', '', '', "
        + "'raise dbus.exceptions.DBusException(\"no\\x1b[31m\", "
        + "name=\"org.freedesktop.DBus.Error.AccessDenied\")')")
    connection.call(BusCall("/org/example", "org.example.Interface", "Denied"), tag: 1)
    let denial = try #require(refusal(next(connection)))
    #expect(denial.isDenial && !denial.text.contains("\u{1b}"))
    service.freeze()
    defer { service.thaw() }
    for _ in 0..<40 { connection.call(.all(of: "org.example", at: "/org/example"), tag: 2) }
    // More calls than may be pending.
    var refused = 0
    while refusal(connection.next()) != nil { refused += 1 }
    #expect(refused == 8)
    let due = try #require(connection.due)
    #expect((due - BootClock.now - 20).value.magnitude < 5)
    ahead = 21
    #expect(refusal(next(connection))?.text == "no answer within 20 s")
    connection.call(BusCall("no path", "org.example", "No"), tag: 3)
    while let event = connection.next() { #expect(refusal(event) != nil) }
    #expect(connection.due == nil)
  }

  @Test("whatever a message contains, it is read or ignored")
  func types() throws {
    let bus = try PrivateBus()
    let service = try mock(on: bus)
    try service.run(
      "self.AddMethod('org.example.Interface', 'Mix', '', 'a{sv}', "
        + "'ret = {\"a\": dbus.Byte(7), \"b\": dbus.Array([1, 2], signature=\"i\"), "
        + "\"c\": dbus.Struct((dbus.UInt64(2**64 - 1), \"x\")), \"d\": float(\"nan\"), "
        + "\"e\": dbus.Dictionary({\"k\": dbus.Int32(-3, variant_level=1)}, signature=\"sv\"), "
        + "\"f\": dbus.ByteArray(b\"abc\"), \"g\": dbus.Boolean(True), \"h\": \"x\" * 5000, "
        + "\"i\": dbus.Int64(-2**40)}')")
    let connection = connection(to: bus.address)
    #expect(isThere(next(connection)) == true)
    connection.call(BusCall("/org/example", "org.example.Interface", "Mix"), tag: 0)
    let message = try #require(answer(next(connection)))
    #expect(message.text() == nil && message.integer() == nil && message.bytes(atMost: 9) == nil)
    var integers: [String: Int64] = [:]
    var names = 0
    #expect(
      message.properties { name in
        names += 1
        if let integer = message.integer() { integers[name] = integer }
      })
    #expect(names == 9)
    #expect(integers == ["a": 7, "i": -1 << 40])
    message.rewind()
    var inner: Int64?
    message.properties { name in
      switch name {
      case "c": #expect(message.firstInteger() == nil)
      case "d": #expect(message.double()?.isNaN == true)
      case "e": message.properties { _ in inner = message.integer() }
      case "f":
        #expect(message.bytes(atMost: 3) == [97, 98, 99])
      case "g": #expect(message.boolean() == true)
      case "h": #expect(message.text() == nil)
      default: #expect(message.text() == nil)
      }
    }
    #expect(inner == -3)
    message.rewind()
    #expect(!message.entries("su") {})
    var few = 0
    #expect(message.entries("sv", atMost: 2) { few += 1 })
    #expect(few == 2)
    #expect(message.integer() == nil && !message.properties { _ in })
  }
}
