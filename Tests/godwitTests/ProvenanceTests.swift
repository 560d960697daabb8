import GodwitSettings
import Core
import Testing

@testable import godwit

/// Which of a program's arguments are written into stores and reports.
@Suite struct ProvenanceTests {
  @Test("every setting that may hold a secret is kept out", arguments: Provenance.secrets)
  func secrets(_ name: String) {
    for start in ["", "--set="] {
      let told = Provenance.withoutSecret("\(start)\(name)=https://a/?k=KEY9")
      #expect(told == "\(start)\(name)=(not told)")
    }
  }

  @Test(
    "values without secrets are included, however their names begin", arguments: Provenance.secrets)
  func others(_ name: String) {
    let others = DeclaredSettings(in: Settings()).settings.filter { !$0.isSecret }.map(\.key)
    for other in others + [name + "_file", name + "_timeout_s"] {
      #expect(Provenance.withoutSecret("\(other)=9") == "\(other)=9")
    }
  }

  @Test("an address or a command may contain a key") func which() {
    let expected =
      ["lookup.url", "alerts.command"]
      + ["owntracks_http", "osmand", "overland"].map { "uplink.\($0).url" }
    #expect(Set(Provenance.secrets) == Set(expected))
  }
}
