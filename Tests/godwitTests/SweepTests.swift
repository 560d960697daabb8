import GodwitSettings
import Core
import Testing

@testable import godwit

@Suite struct SweepTests {
  private static let declared = DeclaredSettings(in: Settings())

  private func values(_ text: String) throws -> [String] {
    try Sweep(text, of: Self.declared).values
  }

  private func refusal(_ text: String) -> String {
    do throws(CommandError) {
      _ = try Sweep(text, of: Self.declared)
      return ""
    } catch { return error.message }
  }

  @Test("a range is five values, or a given number, or a given step") func ranges() throws {
    let key = "hybrid.swap_after_s"
    #expect(try values("\(key)=30..600") == ["30", "172.5", "315", "457.5", "600"])
    #expect(try values("\(key)=30..600/2") == ["30", "600"])
    #expect(try values("\(key)=30..100:30") == ["30", "60", "90"])
    #expect(try values("gnss.off_mA=0.1..0.3:0.1") == ["0.1", "0.2", "0.3"])
    #expect(try values("receiver.family=ubloxM8,other") == ["ubloxM8", "other"])
  }

  @Test("a policy's setting may omit 'policy.', and belongs to that policy") func keys()
    throws
  {
    let hybrid = try Sweep("hybrid.swap_after_s=1,2", of: Self.declared)
    #expect(hybrid.key == "policy.hybrid.swap_after_s" && hybrid.policy == "hybrid")
    let board = try Sweep("dwell.min_dwell_s=300,600", of: Self.declared)
    #expect(board.policy == nil && board.name == "min_dwell_s")
  }

  @Test(
    "an invalid sweep is refused with an explanation",
    arguments: [
      ("hybrid.swap_after_s", "KEY=from..to"), ("hybrid.swap_aftr_s=1,2", "swap_after_s"),
      ("policy.name=hybrid,adaptive", "--policy"), ("hybrid.swap_after_s=9..3", "smaller"),
      ("hybrid.swap_after_s=3..x", "two numbers"), ("hybrid.swap_after_s=1..9:0", "step"),
      ("hybrid.swap_after_s=1..9:-1", "step"), ("hybrid.swap_after_s=1..9/1", "two values"),
      ("hybrid.swap_after_s=0..1e9:0.001", "1000 values"), ("hybrid.swap_after_s=1,1", "repeated"),
      ("hybrid.swap_after_s=1,,2", "empty"), ("hybrid.swap_after_s=", "empty"),
      ("hybrid.swap_after_s=1..inf", "two numbers"), ("=1,2", "KEY=from..to"),
    ])
  func refusals(text: String, words: String) {
    #expect(refusal(text).contains(words), "\(refusal(text))")
  }
}
