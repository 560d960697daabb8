import Glibc
import Testing

@testable import Hardware

struct NetworkViewTests {
  private static let router = HardwareAddress("00:1f:33:00:00:01")
  private static let accessPoint = HardwareAddress("00:1f:33:00:00:02")
  private let wired = NetworkLink(index: 2, name: "eth0", isRunning: true)
  private let radio = NetworkLink(index: 3, name: "wlan0", isRunning: true)

  private func route(_ last: UInt8, _ interface: UInt32, metric: UInt32 = 0) throws -> DefaultRoute
  {
    let gateway = DefaultRoute.Gateway(
      family: UInt8(AF_INET), address: [10, 0, 0, last], interface: interface)
    return DefaultRoute(isIPv6: false, metric: metric, gateway: try #require(gateway))
  }

  private func view(
    _ links: [NetworkLink], _ routes: [DefaultRoute], joined: [UInt32: HardwareAddress] = [:],
    known: [UInt8: String] = [:]
  ) -> NetworkView {
    NetworkView(links: links, routes: routes, joined: joined) { gateway in
      gateway.address.last.flatMap { known[$0] }.flatMap { HardwareAddress($0) }
    }
  }

  @Test("the gateway identifies a wired network, the access point a Wi-Fi")
  func names() throws {
    let points = [UInt32(3): try #require(Self.accessPoint)]
    let known = [UInt8(1): "00:1f:33:00:00:01"]
    #expect(
      view([wired, radio], [try route(1, 2)], joined: points, known: known).name == Self.router)
    let overRadio = view([wired, radio], [try route(1, 3)], joined: points, known: known)
    #expect(overRadio.name == Self.accessPoint)
  }

  @Test("the lowest metric counts, and only on interfaces with a carrier")
  func metrics() throws {
    let routes = [try route(1, 2, metric: 600), try route(2, 3, metric: 100)]
    let known = [UInt8(1): "00:1f:33:00:00:01", 2: "00:1f:33:00:00:02"]
    #expect(view([wired, radio], routes, known: known).name == Self.accessPoint)
    let lost = NetworkLink(index: 3, name: "wlan0", isRunning: false)
    #expect(view([wired, lost], routes, known: known).name == Self.router)
  }

  @Test("a joined Wi-Fi counts without a default route, and below a tunnel")
  func withoutRoute() throws {
    let points = [UInt32(3): try #require(Self.accessPoint)]
    #expect(view([radio], [], joined: points).name == Self.accessPoint)
    let tunnel = NetworkLink(index: 9, name: "wg0", isRunning: true, hasStations: false)
    #expect(view([radio, tunnel], [try route(1, 9)], joined: points).name == Self.accessPoint)
    #expect(view([], [], joined: points).name == nil)
  }

  @Test("a gateway with an unknown address is awaited")
  func awaited() throws {
    let routes = [try route(1, 2), try route(2, 2, metric: 5)]
    let found = view([wired], routes, known: [2: "00:1f:33:00:00:02"])
    #expect(found.awaited == [routes[0].gateway])
    #expect(found.name == Self.accessPoint)
  }

  @Test(
    "addresses used by routers at many places identify no network",
    arguments: [
      "00:00:5e:00:01:07", "00:00:5e:00:02:07", "00:00:0c:07:ac:01", "00:00:0c:9f:f0:01",
      "00:05:73:a0:00:01", "00:07:b4:00:01:01", "00:00:00:00:00:00", "01:00:5e:00:00:01",
    ])
  func shared(address: String) throws {
    let found = view([wired], [try route(1, 2)], known: [1: address])
    #expect(found.name == nil)
    #expect(found.awaited.isEmpty)
  }

  @Test("neighbouring addresses in the makers' ranges are ordinary")
  func nearlyShared() throws {
    for address in ["00:00:5e:00:03:07", "00:00:0c:07:ad:01", "00:05:73:b0:00:01"] {
      let found = view([wired], [try route(1, 2)], known: [1: address])
      #expect(found.name?.text == address)
    }
  }
}
