import Records
import Testing

@testable import Hardware

/// The request to the server, byte by byte.
@Suite struct LookUpRequestTests {
  private static func scan(_ strengths: [Double]) -> AccessPointScan {
    AccessPointScan(
      strengths.enumerated().map { index, strength in
        AccessPointSignal(bssid: "00:11:22:33:44:\(10 + index)", strength: strength)
      }, age: 2.5)
  }

  private static let cell = CellIdentity(radio: .umts, mcc: 204, mnc: 4, area: 0x65, cell: 70_000)

  @Test(
    "a request has access points with strength and age, and the cell; never the board's address")
  func body() throws {
    let request = try #require(LookUpRequest(Self.scan([-71.4, -55]), cell: Self.cell))
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"considerIp":false,"wifiAccessPoints":["#
        + #"{"macAddress":"00:11:22:33:44:11","signalStrength":-55,"age":2500},"#
        + #"{"macAddress":"00:11:22:33:44:10","signalStrength":-71,"age":2500}],"#
        + #""cellTowers":[{"radioType":"wcdma","mobileCountryCode":204,"mobileNetworkCode":4,"#
        + #""locationAreaCode":101,"cellId":70000}],"fallbacks":{"ipf":false,"lacf":false}}"#)
  }

  @Test("a single access point, or nothing, is not sent") func tooLittle() throws {
    #expect(LookUpRequest(Self.scan([-50]), cell: nil) == nil)
    #expect(LookUpRequest(Self.scan([]), cell: nil) == nil)
    #expect(LookUpRequest(Self.scan([-50, .nan]), cell: nil) == nil)
    let cdma = CellIdentity(radio: .cdma, mcc: 310, mnc: 20, area: 3, cell: 4)
    #expect(LookUpRequest(Self.scan([]), cell: cdma) == nil)
    let alone = try #require(LookUpRequest(Self.scan([-50]), cell: Self.cell))
    #expect(!String(decoding: alone.body, as: UTF8.self).contains("macAddress"))
  }

  @Test("of ten thousand the strongest are sent, and they fit into any pipe") func many() throws {
    let scan = AccessPointScan(
      (0..<10_000).map {
        AccessPointSignal(bssid: "00:11:22:33:\($0)", strength: -100.0 + Double($0) / 200)
      })
    let request = try #require(LookUpRequest(scan, cell: Self.cell))
    #expect(request.body.count < 4096)
    #expect(String(decoding: request.body, as: UTF8.self).contains("00:11:22:33:9999"))
  }
}
