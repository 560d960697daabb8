import CNetlink
import Glibc
import Testing

@testable import Hardware

struct DefaultRouteTests {
  private typealias Bytes = KernelBytes
  private static let router: [UInt8] = [192, 168, 1, 1]
  private static let other: [UInt8] = [192, 168, 1, 2]

  private func routes(_ bytes: [UInt8]) -> [DefaultRoute] {
    Bytes.read(bytes) { DefaultRoute.all(in: $0) }.flatMap { $0 }
  }

  private func gateway(_ address: [UInt8], _ interface: UInt32) -> DefaultRoute.Gateway? {
    let family = UInt8(address.count == 4 ? AF_INET : AF_INET6)
    return DefaultRoute.Gateway(family: family, address: address, interface: interface)
  }

  @Test("a default route has its gateway, its interface and its metric")
  func plain() throws {
    let attributes =
      Bytes.attribute(RTA_PRIORITY.rawValue, Bytes.number(UInt32(600)))
      + Bytes.attribute(RTA_GATEWAY.rawValue, Self.router)
      + Bytes.attribute(RTA_OIF.rawValue, Bytes.number(UInt32(3)))
    let expected = DefaultRoute(
      isIPv6: false, metric: 600, gateway: try #require(gateway(Self.router, 3)))
    #expect(routes(Bytes.route(AF_INET, attributes)) == [expected])
  }

  @Test("each active hop of a multipath route is a route")
  func multipath() throws {
    let via = Bytes.attribute(RTA_GATEWAY.rawValue, Self.router)
    let hops =
      Bytes.hop(3, flags: UInt8(RTNH_F_LINKDOWN), via)
      + Bytes.hop(4, Bytes.attribute(RTA_GATEWAY.rawValue, Self.other))
    let found = routes(Bytes.route(AF_INET, Bytes.attribute(RTA_MULTIPATH.rawValue, hops)))
    let other = try #require(gateway(Self.other, 4))
    #expect(found.map(\.gateway) == [other])
  }

  @Test("an IPv4 route may use an IPv6 gateway")
  func via() throws {
    let address: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    let attributes =
      Bytes.attribute(RTA_VIA.rawValue, Bytes.number(UInt16(AF_INET6)) + address)
      + Bytes.attribute(RTA_OIF.rawValue, Bytes.number(UInt32(3)))
    let found = routes(Bytes.route(AF_INET, attributes))
    let way = try #require(gateway(address, 3))
    #expect(found.map(\.gateway) == [way])
    #expect(found.first?.isIPv6 == false)
  }

  @Test("routes of other tables, destinations or kinds, or without a gateway, are ignored")
  func others() {
    let ways =
      Bytes.attribute(RTA_GATEWAY.rawValue, Self.router)
      + Bytes.attribute(RTA_OIF.rawValue, Bytes.number(UInt32(3)))
    #expect(routes(Bytes.route(AF_INET, ways)).count == 1)
    #expect(routes(Bytes.route(AF_INET, length: 24, ways)).isEmpty)
    #expect(routes(Bytes.route(AF_INET, table: 255, ways)).isEmpty)
    #expect(routes(Bytes.route(AF_INET, kind: Int(RTN_BLACKHOLE), ways)).isEmpty)
    #expect(routes(Bytes.route(AF_INET, flags: UInt32(RTNH_F_LINKDOWN), ways)).isEmpty)
    let table = Bytes.attribute(RTA_TABLE.rawValue, Bytes.number(UInt32(51820)))
    #expect(routes(Bytes.route(AF_INET, ways + table)).isEmpty)
    let modem = Bytes.attribute(RTA_OIF.rawValue, Bytes.number(UInt32(3)))
    #expect(routes(Bytes.route(AF_INET, modem)).isEmpty)
  }

  @Test("hops and gateways of wrong lengths are ignored")
  func hostile() {
    let oif = Bytes.attribute(RTA_OIF.rawValue, Bytes.number(UInt32(3)))
    for length in [0, 1, 3, 5, 16] {
      let wrong = Bytes.attribute(RTA_GATEWAY.rawValue, [UInt8](repeating: 1, count: length))
      #expect(routes(Bytes.route(AF_INET, wrong + oif)).isEmpty)
    }
    for length in [UInt16(0), 7, 200] {
      let hop = Bytes.number(length) + [0, 0] + Bytes.number(Int32(3))
      let several = Bytes.attribute(RTA_MULTIPATH.rawValue, hop)
      #expect(routes(Bytes.route(AF_INET, several)).isEmpty)
    }
  }

  @Test("the removal of a default route matters, that of another one does not")
  func notices() {
    let ways = Bytes.attribute(RTA_GATEWAY.rawValue, Self.router)
    let removed = Bytes.route(AF_INET, type: Int(RTM_DELROUTE), ways)
    let other = Bytes.route(AF_INET, length: 24, type: Int(RTM_DELROUTE), ways)
    #expect(Bytes.read(removed + other) { DefaultRoute.concerns($0) } == [true, false])
  }
}
