import GNSS
import Core
import Testing

/// Navigation data across a power cut: in the receiver's flash or on the host.
@Suite struct NavigationDataTests {
  static let flash = PowerWiring(
    mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: false, family: .ubloxM8)
  static let host = PowerWiring(
    mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: false, family: .ubloxM10)
  private let poll = "send b562091400001d60"
  private let clear = "send b562091404000100000022f0"

  private func lines(_ bench: inout Bench) -> [String] {
    bench.take().map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  private func running(_ wiring: PowerWiring) -> Bench {
    var bench = Bench(wiring)
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    return bench
  }

  /// Data of an earlier run is not restored again when it is old, either.
  @Test("restored flash is cleared") func whatWasRestoredIsCleared() {
    var bench = running(Self.flash)
    #expect(lines(&bench).contains(poll))
    bench.step(.answer(.navigationDataBackup(.restored)))
    #expect(lines(&bench) == [clear])
  }

  @Test("a flash with nothing to restore is left alone") func anEmptyFlashIsLeftAlone() {
    var bench = running(Self.flash)
    _ = bench.take()
    bench.step(.answer(.navigationDataBackup(.nothingToRestore)))
    #expect(bench.take() == [])
  }

  @Test("a cold start first clears what is saved") func aColdStartRestoresNothing() {
    var bench = running(Self.flash)
    _ = bench.take()
    bench.step(.restart(.cold))
    let told = lines(&bench)
    #expect(told.count == 2 && told.first == clear, "\(told)")
  }

  @Test("after saving the supply is cut") func savedIsCut() {
    var bench = running(Self.flash)
    _ = bench.take()
    bench.want(.off)
    bench.step(.answer(.navigationDataBackup(.saved)))
    #expect(lines(&bench).suffix(3) == ["close", "supply off", "reached off"])
  }

  @Test(
    "a late answer about the start does not count as one about saving",
    arguments: [NavigationDataBackup.restored, .nothingToRestore, .restoringFailed, .unknown])
  func lateAnswer(outcome: NavigationDataBackup) {
    var bench = running(Self.flash)
    bench.want(.off)
    _ = bench.take()
    bench.step(.answer(.navigationDataBackup(outcome)))
    #expect(bench.take() == [])
    #expect(bench.sequencer.receiver == .saving)
    bench.step(.answer(.navigationDataBackup(.saved)))
    #expect(lines(&bench).suffix(3) == ["close", "supply off", "reached off"])
    #expect(bench.sequencer.capabilities.hasBackup)
  }

  /// A store that proved unavailable is not tried again, and the tracker is informed.
  @Test("a receiver without flash sends its navigation data to the host")
  func aReceiverWithoutFlashHandsItsNavigationDataOut() {
    var bench = running(Self.flash)
    _ = bench.take()
    bench.want(.off)
    bench.step(.answer(.navigationDataBackup(.notSaved)))
    #expect(lines(&bench).contains("capabilities changed"))
    #expect(bench.sequencer.capabilities.hasBackup, "the host keeps them")
    var only = Self.flash
    only.navigationBackup = .flash
    bench = running(only)
    bench.want(.off)
    bench.pass(6)
    #expect(!bench.sequencer.capabilities.hasBackup)
  }

  @Test("a dump that never arrives is awaited only once")
  func aDumpThatNeverComesIsNotWaitedForTwice() {
    var bench = running(Self.host)
    _ = bench.take()
    bench.want(.off)
    bench.pass(11)
    #expect(lines(&bench).contains("capabilities changed"))
    #expect(!bench.sequencer.capabilities.hasBackup)
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    _ = bench.take()
    bench.want(.off)
    #expect(lines(&bench).last == "reached off")
  }

  @Test("navigation data kept by the host is restored") func whatTheHostKeptIsGivenBack() throws {
    let data = try #require(NavigationDataMessage(payload: [UInt8](repeating: 7, count: 40)))
    var bench = running(Self.host)
    bench.want(.off)
    bench.step(.answer(.navigationData(data)))
    bench.pass(2)
    _ = bench.take()
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    #expect(lines(&bench).contains { $0.hasPrefix("send b56213802800") })
  }

  /// An unspecified altitude counts as 0 m, which in the mountains is a wrong position.
  @Test("time, position and altitude are sent after a cut")
  func timePlaceAndAltitudeAreToldAfterACut() {
    var bench = Bench(Self.host)
    let position = Coordinate(latitude: 46.5, longitude: 8.5)
    let time = UTCInstant(seconds: 1_780_000_000)
    bench.step(
      .assist(
        AssistanceData(
          taken: .zero, time: time, timeAccuracy: 1, position: position, positionAccuracy: 100,
          altitude: 2400)))
    bench.want(.on)
    bench.pass(1, whileSpeaking: true)
    let told = lines(&bench).filter { $0.hasPrefix("send b56213") }
    #expect(told.count == 2)
    // 240,000 cm and 10,000 cm, little-endian.
    #expect(told.last?.contains("80a9030010270000") == true, "\(told)")
  }

  @Test(
    "a receiver without flash or host backup keeps nothing",
    arguments: [NavigationBackup.flash, .host])
  func aReceiverThatCanDoNeitherKeepsNothing(keeping: NavigationBackup) {
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], hasBackupSupply: false, navigationBackup: keeping,
      family: .mediatek)
    #expect(!PowerSequencer(wiring).capabilities.hasBackup)
  }
}
