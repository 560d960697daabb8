import CNetlink
import Core
import Testing

@testable import Hardware

struct ScannedAccessPointTests {
  private typealias Bytes = KernelBytes
  private static let address: [UInt8] = [0x00, 0x1f, 0x33, 0xab, 0x01, 0x02]
  private let now = BootInstant(nanoseconds: 100_000_000_000)

  private func named(_ name: String) -> [UInt8] {
    // The supported rates, then the name: elements may come in any order.
    [1, 2, 0x82, 0x84] + [0, UInt8(name.utf8.count)] + Array(name.utf8)
  }

  private func heard(_ parts: [[UInt8]]) -> [ScannedAccessPoint] {
    let bss = Bytes.attribute(NL80211_ATTR_BSS.rawValue, parts.flatMap { $0 })
    let bytes = Bytes.message(0x1c, [UInt8(NL80211_CMD_NEW_SCAN_RESULTS.rawValue), 1, 0, 0] + bss)
    return Bytes.read(bytes) { ScannedAccessPoint($0, at: now) }
  }

  private func part(_ kind: nl80211_bss, _ value: [UInt8]) -> [UInt8] {
    Bytes.attribute(kind.rawValue, value)
  }

  private var bssid: [UInt8] { part(NL80211_BSS_BSSID, Self.address) }
  private func elements(_ name: String) -> [UInt8] {
    part(NL80211_BSS_INFORMATION_ELEMENTS, named(name))
  }

  @Test("an access point has its address, strength and age")
  func plain() throws {
    let found = heard([
      bssid, elements("Home"), part(NL80211_BSS_SIGNAL_MBM, Bytes.number(Int32(-6150))),
      part(NL80211_BSS_SEEN_MS_AGO, Bytes.number(UInt32(2500))),
    ])
    let one = try #require(found.first)
    #expect(one.address.text == "00:1f:33:ab:01:02")
    #expect(one.strength == -61.5)
    #expect(one.age == 2.5)
    #expect(one.isUsable)
    #expect(!one.isJoined)
  }

  @Test("the boot time stamp takes precedence over the age, unless it is in the future")
  func moments() {
    let ago = part(NL80211_BSS_SEEN_MS_AGO, Bytes.number(UInt32(2500)))
    func age(_ moment: UInt64) -> Seconds? {
      heard([bssid, ago, part(NL80211_BSS_LAST_SEEN_BOOTTIME, Bytes.number(moment))]).first?.age
    }
    #expect(age(93_000_000_000) == 7)
    #expect(age(0) == 2.5)
    #expect(age(500_000_000_000) == 0)
    #expect(age(.max) == 2.5)
  }

  @Test("a strength without a unit is a percentage; a missing one is the weakest")
  func strengths() {
    #expect(heard([bssid, part(NL80211_BSS_SIGNAL_UNSPEC, [50])]).first?.strength == -70)
    #expect(heard([bssid]).first?.strength == -100)
    let wild = part(NL80211_BSS_SIGNAL_MBM, Bytes.number(Int32.max))
    #expect(heard([bssid, wild]).first?.strength == -20)
  }

  @Test("an access point hidden in its beacons is hidden, whatever its probe response")
  func hidden() {
    let silent = part(NL80211_BSS_BEACON_IES, named(""))
    #expect(heard([bssid, elements("Home"), silent]).first?.isUsable == false)
    #expect(heard([bssid]).first?.isUsable == false)
  }

  @Test("the joined access point is recognised by its status")
  func joined() {
    let status = Bytes.number(NL80211_BSS_STATUS_ASSOCIATED.rawValue)
    #expect(heard([bssid, part(NL80211_BSS_STATUS, status)]).first?.isJoined == true)
  }

  @Test("invalid addresses and elements are ignored")
  func hostile() {
    #expect(heard([part(NL80211_BSS_BSSID, [0, 1, 2])]).isEmpty)
    #expect(heard([]).isEmpty)
    let lie = part(NL80211_BSS_INFORMATION_ELEMENTS, [0, 200, 1, 2])
    #expect(heard([bssid, lie]).first?.isUsable == false)
  }
}

struct CachedScanTests {
  private func point(
    _ number: Int, strength: Double = -60, age: Double = 0, isJoined: Bool = false,
    isUsable: Bool = true
  ) throws -> ScannedAccessPoint {
    let bytes =
      [0, 0x1f, 0x33, UInt8(number >> 16 & 0xff), UInt8(number >> 8 & 0xff)]
      + [UInt8(number & 0xff)]
    return ScannedAccessPoint(
      address: try #require(HardwareAddress(bytes)), strength: strength, age: Seconds(age),
      isJoined: isJoined, isUsable: isUsable)
  }

  @Test("access points received in one scan belong together; older ones do not")
  func window() throws {
    var scan = CachedScan()
    scan.add(try point(1, age: 20))
    scan.add(try point(2, age: 27))
    scan.add(try point(3, age: 36))
    let result = try #require(scan.result(hasJustScanned: false))
    #expect(result.signals.count == 2)
    #expect(result.age == 20)
  }

  @Test("the joined one, received all the time, does not make a scan younger")
  func joined() throws {
    var scan = CachedScan()
    scan.add(try point(1, age: 0.1, isJoined: true))
    #expect(scan.result(hasJustScanned: false) == nil)
    scan.add(try point(2, age: 20))
    let result = try #require(scan.result(hasJustScanned: false))
    #expect(result.age == 20)
    #expect(result.signals.count == 2)
  }

  @Test("an empty scan is a result if there was a scan")
  func empty() {
    let scan = CachedScan()
    #expect(scan.result(hasJustScanned: false) == nil)
    #expect(scan.result(hasJustScanned: true)?.signals.isEmpty == true)
  }

  @Test("of ten thousand the strongest are kept, with limited memory")
  func many() throws {
    var scan = CachedScan()
    for number in 0..<10_000 {
      let isUsable = number % 3 != 0
      scan.add(try point(number, strength: -100 + 0.008 * Double(number), isUsable: isUsable))
    }
    let result = try #require(scan.result(hasJustScanned: false))
    #expect(result.signals.count == CachedScan.maxKept)
    let weakest = try #require(result.signals.map(\.strength).min())
    #expect(weakest >= -100 + 0.008 * Double(10_000 - CachedScan.maxKept * 3 / 2 - 2))
  }

  @Test("the time of a scan includes all it received, also unusable ones")
  func unusable() throws {
    var scan = CachedScan()
    scan.add(try point(1, age: 3, isUsable: false))
    scan.add(try point(2, age: 17))
    scan.add(try point(3, age: 19))
    let result = try #require(scan.result(hasJustScanned: false))
    #expect(result.age == 3)
    #expect(result.signals.map(\.bssid) == ["00:1f:33:00:00:02"])
  }
}
