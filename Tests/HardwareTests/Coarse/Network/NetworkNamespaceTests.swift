import Glibc
import Ports
import Records
import TestSupport
import Testing

@testable import Hardware

/// The source on a real kernel: each test has its own network namespace and may start with any
/// network. The requirements are checked first.
@Suite(
  .enabled(if: Namespace.isAllowed, "SKIPPED: network namespaces need root and ip (iproute2)"))
struct NetworkNamespaceTests {
  private static let router = "00:1f:33:00:00:01"
  private static let other = "00:1f:33:00:00:02"

  @Test("a network is joined when its gateway is known, and left when the cable is unplugged")
  func joinAndLeave() throws {
    try Namespace.run { kernel in
      #expect(try kernel.currentView().name == nil)
      try Namespace.plug()
      #expect(try kernel.readNotices().matters)
      try ip("route add default via 10.9.0.1 dev here")
      #expect(try kernel.readNotices().matters)
      let waiting = try kernel.currentView()
      #expect(waiting.name == nil)
      #expect(waiting.awaited.count == 1)
      kernel.receivesNeighbours = true
      try ip("neigh replace 10.9.0.7 lladdr \(Self.other) dev here")
      #expect(try !kernel.readNotices().matters)
      try ip("neigh replace 10.9.0.1 lladdr \(Self.router) dev here nud reachable")
      #expect(try kernel.readNotices().matters)
      #expect(try kernel.currentView().name?.text == Self.router)
      try ip("link set there down")
      // The other end's notice may come first, and the kernel reports a carrier with a delay.
      while try kernel.currentView().name != nil, hasNews(kernel) { _ = try kernel.readNotices() }
      #expect(try kernel.currentView().name == nil)
    }
  }

  @Test("another gateway is another network; a VRRP router names none")
  func replaced() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      try ip("neigh add 10.9.0.1 lladdr \(Self.router) dev here")
      try ip("neigh add 10.9.0.2 lladdr \(Self.other) dev here")
      try ip("neigh add 10.9.0.3 lladdr 00:00:5e:00:01:05 dev here")
      try ip("route add default via 10.9.0.1 dev here")
      #expect(try kernel.currentView().name?.text == Self.router)
      _ = try kernel.readNotices()
      try ip("route replace default via 10.9.0.2 dev here")
      #expect(try kernel.readNotices().matters)
      #expect(try kernel.currentView().name?.text == Self.other)
      try ip("route replace default via 10.9.0.3 dev here")
      #expect(
        try kernel.currentView() == NetworkView(links: [], routes: [], joined: [:]) { _ in nil })
    }
  }

  @Test("IPv6 names the network if there is no IPv4, and the lowest metric counts")
  func versionSix() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      try ip("neigh add fe80::1 lladdr \(Self.router) dev here")
      try ip("-6 route add default via fe80::1 dev here metric 1024")
      #expect(try kernel.currentView().name?.text == Self.router)
      try ip("neigh add fe80::2 lladdr \(Self.other) dev here")
      try ip("-6 route add default via fe80::2 dev here metric 100")
      #expect(try kernel.currentView().name?.text == Self.other)
    }
  }

  @Test("a gateway that the kernel has dropped is remembered while the cable is plugged in")
  func forgotten() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      try ip("neigh add 10.9.0.1 lladdr \(Self.router) dev here")
      try ip("route add default via 10.9.0.1 dev here")
      #expect(try kernel.currentView().name?.text == Self.router)
      try ip("neigh del 10.9.0.1 dev here")
      #expect(try kernel.currentView().name?.text == Self.router)
      try ip("link set there down")
      try ip("link set there up")
      _ = try kernel.readNotices()
      try ip("route replace default via 10.9.0.1 dev here")
      #expect(try kernel.currentView().name == nil)
    }
  }

  @Test("a removed interface removes its network")
  func removed() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      try ip("neigh add 10.9.0.1 lladdr \(Self.router) dev here")
      try ip("route add default via 10.9.0.1 dev here")
      #expect(try kernel.currentView().name?.text == Self.router)
      try ip("link del here")
      #expect(try kernel.readNotices().matters)
      #expect(try kernel.currentView().name == nil)
    }
  }

  @Test("notices dropped by the kernel cause a query")
  func overrun() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      _ = try kernel.currentView()
      _ = try kernel.readNotices()
      try Namespace.addRoutes(2000)
      let news = try kernel.readNotices()
      #expect(news.matters)
      #expect(news.count < 2000)
      #expect(try kernel.currentView().name == nil)
      #expect(try kernel.readNotices() == NetworkEvent())
    }
  }

  @Test("other routes are not relevant events")
  func elsewhere() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      _ = try kernel.currentView()
      _ = try kernel.readNotices()
      try ip("route add 10.77.0.0/16 via 10.9.0.1 dev here")
      let news = try kernel.readNotices()
      #expect(news.count == 1)
      #expect(!news.matters)
    }
  }

  @Test("the source reports the network when served by the loop")
  func source() throws {
    try Namespace.run { kernel in
      try Namespace.plug()
      try ip("neigh add 10.9.0.1 lladdr \(Self.router) dev here")
      try ip("route add default via 10.9.0.1 dev here")
      let source = NetworkSource(now: { .zero }) { () throws(NetlinkRefusal) in kernel }
      #expect(try source.poll() == .network(Self.router))
      #expect(try source.poll() == nil)
      #expect(source.due == nil)
    }
  }
}

/// Whether any notice arrives within 10 s.
private func hasNews(_ kernel: KernelNetwork) -> Bool {
  var request = pollfd(fd: kernel.descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, 10_000) == 1
}

/// A network namespace for the duration of a test. It belongs to a thread; programs started by that
/// thread inherit it.
private enum Namespace {
  static let isAllowed: Bool = {
    guard (try? TestSupport.run("ip", "-V"))?.status == 0 else { return false }
    var isAllowed = false
    onThread { isAllowed = unshare(newNetwork) == 0 }
    return isAllowed
  }()

  static func run(_ body: (KernelNetwork) throws -> Void) throws {
    var failure: (any Error)?
    onThread {
      do {
        precondition(unshare(newNetwork) == 0)
        try ip("link set lo up")
        try body(KernelNetwork(interface: nil))
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Plugs in a cable: "here" is the board's end.
  static func plug() throws {
    try ip("link add here type veth peer name there")
    try ip("link set there up")
    try ip("link set here up")
    try ip("addr add 10.9.0.9/24 dev here")
  }

  /// Adds many routes at once with one program.
  static func addRoutes(_ count: Int) throws {
    let line = "route add 10.%d.%d.0/24 dev here\\n\", 100 + $1 / 250, $1 % 250"
    let (output, status) = try TestSupport.run(
      "/bin/sh", "-c", "seq 0 \(count - 1) | awk '{printf \"\(line)}' | ip -batch -")
    #expect(status == 0, "\(output)")
  }

  private static func onThread(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let box = Unmanaged.passRetained(Box(body))
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { pointer in
          guard let pointer else { return nil }
          Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      pthread_join(thread, nil)
    }
  }

  private final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}

/// CLONE_NEWNET of linux/sched.h; the Glibc module has neither it nor unshare(2).
private let newNetwork: Int32 = 0x4000_0000
@_silgen_name("unshare") private func unshare(_ what: Int32) -> Int32

private func ip(_ words: String) throws {
  let (output, status) = try run("/bin/sh", "-c", "ip \(words)")
  #expect(status == 0, "ip \(words): \(output)")
}
