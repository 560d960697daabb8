import Platform
import Ports
import Core
import Records
import ReceiverStandIns
import TestSupport

@testable import Hardware
@testable import Transports
@testable import Store
@testable import Runtime
@testable import Uplink

#if canImport(Glibc)
  import Glibc
#endif

/// A life cycle of objects that own a resource: opened, used and released, also after a failure.
struct Owner: Sendable {
  let classes: [String]
  let live: @Sendable (ScratchFolder) throws -> Void

  var name: String { classes.joined(separator: ", ") }

  init(_ classes: String..., live: @escaping @Sendable (ScratchFolder) throws -> Void) {
    self.classes = classes
    self.live = live
  }

  static let all = system + databases + connections + receivers

  /// Classes without a case here, and the reason.
  static let without = [
    "EdgeLine": "needs a GPIO chip: the kernel laboratory has one",
    "HeldLine": "needs a GPIO chip: the kernel laboratory has one",
    "Accelerometer": "needs a device of the kernel's IIO: the kernel laboratory has one",
    "IIOTrace": "needs a device of the kernel's IIO: the kernel laboratory has one",
    "BusMessage": "comes from a bus alone: the tests of Bus have one",
    "BusRequest": "comes from a bus alone: the tests of Bus have one",
    "ExportedObject": "needs a bus: the tests of Bus have one",
    "PendingCall": "needs a bus: the tests of Bus have one",
    "SignalWatch": "needs a bus: the tests of Bus have one",
    "WebTransfer": "owns memory alone, and goes with its TransferEngine",
    "SentenceWriter": "owns memory alone, in a virtual board",
    "CellSourceFile": "of a command, which ends with its file",
    "Job": "of a command, which ends with its runs",
    "PartialFile": "of a command, which ends with its file",
    "AtomicFile": "of a command, which ends with its file",
    "InputBytes": "of a command, which ends with its file",
  ]

  /// Runs a body that fails at once or half way; the test checks what is left.
  private static func refused(_ body: () throws -> Void) {
    _ = try? body()
  }

  // MARK: The system's own

  private static let system = [
    Owner("EventLoop", "EventSource", "DateWatch") { _ in
      let loop = try EventLoop()
      let watch = DateWatch {}
      let source = try loop.watch(watch.interest?.descriptor ?? -1) {}
      let timer = try loop.timer {}
      refused { _ = try loop.watch(-1) {} }
      withExtendedLifetime((source, timer)) {}
    },
    Owner("ServiceNotices") { folder in
      let loop = try EventLoop()
      let notices = try ServiceNotices(folder.file("nobody"), loop: loop)
      notices.notify("READY=1")
    },
    Owner("LogOutput", "PipeEnds") { _ in
      guard let ends = PipeEnds() else { throw SystemError.last }
      LogOutput(ends.writing).write(LogEvent("test", "a line"))
    },
    Owner("ControlSocket", "ConnectionQueue", "ControlFollower") { folder in
      let loop = try EventLoop()
      let path = folder.file("control")
      let socket = try ControlSocket(path: path, group: nil, loop: loop) { $0 }
      refused { _ = try ControlSocket(path: path, group: nil, loop: loop) { $0 } }
      refused {
        _ = try ControlSocket(path: folder.file("no/control"), group: nil, loop: loop) { $0 }
      }
      let follower = ControlFollower(path: path)
      _ = follower.updates()
      withExtendedLifetime(socket) {}
    },
    Owner("DescriptorSet", "NetlinkSocket", "UeventSocket") { _ in
      let set = try DescriptorSet()
      let netlink = try NetlinkSocket(.route)
      refused { try netlink.join(1 << 30) }
      _ = try UeventSocket(["add"], of: "nothing")
      withExtendedLifetime((set, netlink)) {}
    },
    Owner("AttributeFile", "I2CDevice") { folder in
      try folder.write("1\n", to: "i2c-1")
      _ = try AttributeFile(folder.file("i2c-1"))
      refused { _ = try AttributeFile(folder.file("none")) }
      // A bus that does not exist, and one whose address cannot be set.
      refused { _ = try I2CDevice(bus: 2, address: 0x40, folder: folder.path) }
      refused { _ = try I2CDevice(bus: 1, address: 0x40, folder: folder.path) }
    },
    Owner("ActivationSocket") { folder in
      let door = try ActivationSocket(at: folder.file("door"))
      refused { _ = try ActivationSocket(at: folder.file("door")) }
      refused { _ = try ActivationSocket(at: folder.file("no/door")) }
      _ = door.drain()
    },
  ]

  // MARK: Databases and their files

  private static let databases = [
    Owner("GeoPackageStore", "ConnectionHandle", "Statement", "StoreLock", "StoreFileMonitor") {
      folder in
      let path = folder.file("track.gpkg")
      let store = try GeoPackageStore(path: path, lock: StoreLock(path: path), mark: 1)
      refused { _ = try StoreLock(path: path) }
      let reader = try StoreReader(path: path)
      for _ in 0..<3 {
        try store.write([.event(LogEvent("test", "a line"), time: nil)])
        try reader.reopen()
        _ = try reader.trackerState()
        var rows = try reader.events()
        _ = try rows.next()
      }
      // Without `close`, as after an error.
      try folder.write("no database", to: "text")
      refused { _ = try GeoPackageStore(path: folder.file("text"), mark: 1) }
      refused { _ = try StoreReader(path: folder.file("text")) }
    },
    Owner("CollectionStore") { folder in
      _ = try CollectionStore(path: folder.file("all.gpkg"))
      try folder.write("no database", to: "text")
      refused { _ = try CollectionStore(path: folder.file("text")) }
    },
    Owner("TemporaryFile") { folder in
      _ = try TemporaryFile(for: folder.file("target"))
      refused { _ = try TemporaryFile(for: folder.file("no/target")) }
    },
    Owner("Database", "DatabaseStatement", "OutboxLock") { folder in
      let path = folder.file("uplink.db")
      let lock = try OutboxLock(path: path)
      refused { _ = try OutboxLock(path: path) }
      _ = try OutboxFile(path: path).state()
      try folder.write("no database", to: "text.db")
      refused { _ = try OutboxFile(path: folder.file("text.db")).state() }
      withExtendedLifetime(lock) {}
    },
    Owner("ImportLock") { folder in
      let lock = try ImportLock(folder.path)
      refused { _ = try ImportLock(folder.path) }
      withExtendedLifetime(lock) {}
    },
    Owner("DatabaseConnection") { _ in
      let address = try DatabaseAddress(parsing: "postgresql://nobody@127.0.0.1:1/none")
      refused { _ = try PostGISCollection(address, password: nil) }
    },
  ]

  // MARK: Connections

  private static let connections = [
    Owner("MosquittoBroker") { _ in
      let broker = MosquittoBroker()
      broker.connect(to: try .init(parsing: "mqtt://127.0.0.1:1"), as: .init(clientID: "test"))
      let end = BootClock.now + 5
      while broker.poll() == nil, BootClock.now < end {
        _ = BootClock.wait(for: broker.interest?.descriptor, until: BootClock.now + 0.01)
      }
      // In the middle of an attempt.
      broker.connect(to: try .init(parsing: "mqtt://127.0.0.1:1"), as: .init(clientID: "test"))
    },
    Owner("ReadySockets", "TransferEngine") { _ in
      _ = try ReadySockets()
      _ = try TransferEngine(HTTPOptions(userAgent: "test")) { BootClock.now }
    },
    Owner("WebRequest") { _ in
      // Ended in the middle.
      _ = try WebRequest("http://127.0.0.1:1/", body: [])
    },
    Owner("CommandConnection") { folder in
      let request = try CommandRequest(NoticeCommandInput(id: 1, facts: []))
      refused {
        _ = try CommandConnection(
          to: folder.file("nobody"), sending: request, deadline: BootClock.now + 1)
      }
      let loop = try EventLoop()
      let path = folder.file("command")
      let listener = try ControlSocket(path: path, group: nil, loop: loop) { $0 }
      _ = try CommandConnection(to: path, sending: request, deadline: BootClock.now + 1)
      withExtendedLifetime(listener) {}
    },
    Owner("BusConnection") { folder in
      let bus = BusConnection(
        to: "org.example", address: "unix:path=\(folder.file("nobody"))", now: { BootClock.now })
      while bus.next() != nil {}
    },
  ]

  // MARK: Receivers

  private static let receivers = [
    Owner("SerialReceiver") { _ in
      let line = Pseudoterminal()
      try SerialReceiver(SerialSettings(path: line.link, baud: 9600)).open()
      refused { try SerialReceiver(SerialSettings(path: "/dev/null", baud: 9600)).open() }
      refused { try SerialReceiver(SerialSettings(path: "/nonexistent", baud: 9600)).open() }
    },
    Owner("GnssDeviceReceiver") { _ in
      refused { try GnssDeviceReceiver(GnssDeviceSettings(path: "/dev/null")).open() }
      refused { try GnssDeviceReceiver(GnssDeviceSettings(path: "/nonexistent")).open() }
    },
    Owner("GpsdReceiver", "GpsdControlRequest") { folder in
      refused { try GpsdReceiver(GpsdSettings(host: "127.0.0.1", port: 1)).open() }
      _ = GpsdControlRequest("+/dev/null", socket: folder.file("nobody"))
    },
  ]
}
