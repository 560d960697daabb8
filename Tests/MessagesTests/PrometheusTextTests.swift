import Testing

@testable import Messages

@Suite struct PrometheusTextTests {
  @Test("families with help, type and samples; what would break a line is escaped")
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
}
