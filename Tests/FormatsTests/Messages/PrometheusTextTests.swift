import Foundation
import TestSupport
import Testing

@testable import Formats

@Suite struct PrometheusTextTests {
  @Test("families have help, type and samples; line-breaking characters are escaped")
  func families() {
    var text = PrometheusText()
    text.family(
      "godwit_receiver_on_seconds_total", .counter, "Time with \\ and\na break",
      [PrometheusText.Sample(12.5, digits: 1)])
    text.family(
      "godwit_current_amperes", .gauge, "Measured current",
      [
        PrometheusText.Sample(.nan, digits: 3, [("state", "off \"x\"\n")]),
        PrometheusText.Sample(.infinity, digits: 3, [("state", "a"), ("unit", "b")]),
      ])
    text.family("godwit_current_amperes", .gauge, "Again", [PrometheusText.Sample(1, digits: 0)])
    text.family("godwit_nothing", .gauge, "Nothing", [])
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == """
        # HELP godwit_receiver_on_seconds_total Time with \\\\ and\\na break
        # TYPE godwit_receiver_on_seconds_total counter
        godwit_receiver_on_seconds_total 12.5
        # HELP godwit_current_amperes Measured current
        # TYPE godwit_current_amperes gauge
        godwit_current_amperes{state="off \\"x\\"\\n"} NaN
        godwit_current_amperes{state="a",unit="b"} +Inf

        """)
  }

  @Test(
    "an invalid name, or one that contradicts its kind, drops only its family",
    arguments: [
      ("", PrometheusText.Kind.gauge), ("a b", .gauge), ("1a", .gauge), ("a\n", .gauge),
      ("größe", .gauge), ("a-b", .gauge), ("a_total", .gauge), ("a_seconds", .counter),
    ])
  func names(_ name: String, _ kind: PrometheusText.Kind) {
    var text = PrometheusText()
    let isThere = text.family(name, kind, "Help", [PrometheusText.Sample(1, digits: 0)])
    #expect(!isThere && text.bytes.isEmpty)
  }

  @Test(
    "an invalid or duplicate label drops only its family",
    arguments: [["a:b"], ["__a"], ["1"], [""], ["a", "a"], ["a\""]])
  func labels(_ names: [String]) {
    var text = PrometheusText()
    let sample = PrometheusText.Sample(1, digits: 0, names.map { ($0, "x") })
    let isThere = text.family("a", .gauge, "Help", [sample])
    #expect(!isThere && text.bytes.isEmpty)
  }

  @Test("samples of one family differ in their labels, in any order") func sameLabels() {
    var text = PrometheusText()
    let sample = PrometheusText.Sample(1, digits: 0, [("a", "1"), ("b", "2")])
    let same = PrometheusText.Sample(2, digits: 0, [("b", "2"), ("a", "1")])
    let other = PrometheusText.Sample(2, digits: 0, [("b", "1"), ("a", "2")])
    let sameAreThere = text.family("x:y", .gauge, "Help", [sample, same])
    let othersAreThere = text.family("x:y", .gauge, "Help", [sample, other])
    #expect(!sameAreThere && othersAreThere)
  }
}

/// Prometheus' own program for files of this kind, where it is installed.
@Suite(.enabled(if: Promtool.isInstalled, "promtool (Debian's prometheus) is not installed"))
struct PromtoolTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func check(_ text: String) throws -> (output: String, status: Int32) {
    try folder.write(text, to: "godwit.prom")
    return try run(
      "sh", "-c", "promtool check metrics < '\(folder.file("godwit.prom"))'")
  }

  @Test("it reports no fault in the written text") func nothing() throws {
    var text = PrometheusText()
    text.family(
      "godwit_gnss_on_seconds_total", .counter, "Time that GNSS was on, \\ by \n state.",
      [
        PrometheusText.Sample(12.5, digits: 1, [("state", "a\\\"\n}ß\r\t,")]),
        PrometheusText.Sample(9e12, digits: 3, [("state", "")]),
      ])
    text.family(
      "godwit_supply_current_amperes", .gauge, "Measured.",
      [
        PrometheusText.Sample(.nan, digits: 3),
        PrometheusText.Sample(-.infinity, digits: 3, [("a", "b")]),
      ])
    let said = try check(String(decoding: text.bytes, as: UTF8.self))
    #expect(said.status == 0 && said.output.isEmpty, "\(said.output)")
  }

  @Test("it reports faults in other text") func something() throws {
    #expect(try check("a_total{x=} 1\n").status != 0)
  }
}

private enum Promtool {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")
}
