import Glibc
import Testing

@testable import Runtime

@Suite struct ClockKeepingTests {
  @Test("a clock is synchronized when the kernel reports it in both places") func told() {
    let synchronized = ClockKeeping.query {
      $0.status = 0x2001  // STA_NANO, STA_PLL
      return 0  // TIME_OK
    }
    #expect(synchronized == .synchronized && synchronized.warning == nil)
    let unset = ClockKeeping.query {
      $0.status = 0x40  // STA_UNSYNC
      return 0
    }
    #expect(unset == .free && unset.warning == nil)
    // TIME_ERROR
    #expect(ClockKeeping.query { _ in 5 } == .free)
  }

  @Test("a failed kernel query is no free-running clock, and the reason is given")
  func untold() throws {
    let keeping = ClockKeeping.query { _ in
      errno = EPERM
      return -1
    }
    #expect(keeping == .unavailable(EPERM))
    let warning = try #require(keeping.warning)
    #expect(warning.contains("Operation not permitted"))
    #expect(warning.contains("SystemCallFilter=") && warning.contains("ProtectClock="))
  }
}
