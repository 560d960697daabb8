import CNetlink
import Glibc
import Platform
import Testing

@testable import Hardware

/// Queries to the kernel under the tests, which answers without delay.
struct NetlinkQueryTests {
  @Test("the kernel lists its interfaces, including the loopback")
  func links() throws {
    let inquiry = try NetlinkQuery(.route)
    let request = NetlinkRequest(type: UInt16(RTM_GETLINK), isDump: true, header: ifinfomsg())
    let names = try inquiry.run(request, from: [String]()) { names, message in
      guard let (_, attributes) = message.split(ifinfomsg.self) else { return }
      names.append(attributes.first(UInt32(IFLA_IFNAME))?.text ?? "")
    }
    #expect(names.contains("lo"))
  }

  @Test("the controller of generic netlink is a family like others; an unknown name is not found")
  func families() throws {
    let controller = try #require(try GenericFamily.named("nlctrl"))
    #expect(controller.number == 0x10)
    #expect(controller.groups["notify"] == GenericFamily.arrivals)
    #expect(try GenericFamily.named("godwit-none") == nil)
  }

  @Test("a refusal is reported with its error, and the next query is answered")
  func refused() throws {
    let inquiry = try NetlinkQuery(.route)
    let wrong = NetlinkRequest(type: UInt16(RTM_GETLINK), isDump: false, header: ifinfomsg())
    #expect(throws: NetlinkRefusal.self) {
      try inquiry.run(wrong, from: 0) { count, _ in count += 1 }
    }
    let right = NetlinkRequest(type: UInt16(RTM_GETLINK), isDump: true, header: ifinfomsg())
    #expect(try inquiry.run(right, from: 0) { count, _ in count += 1 } > 0)
  }

  @Test("a listener without messages returns nothing and does not wait")
  func quiet() throws {
    let listener = try NetlinkListener(.generic, groups: [])
    #expect(try listener.read { _ in } == NetlinkListener.ReadResult())
  }

  @Test("a group that does not exist is refused")
  func unknownGroup() {
    #expect(throws: SystemError.self) {
      try NetlinkListener(.generic, groups: [0x7fff_0000])
    }
  }
}
