import Core
import TestSupport
import Testing

/// A place that moves with a device: the daemon has received the device, and commands query it.
@Suite(.serialized) struct DevicePlacesTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func places(_ daemon: LiveDaemon, _ words: String...) throws -> String {
    try run(
      [BuiltProgram.path("godwit"), "places"] + words
        + ["--store", daemon.store, "--socket", daemon.socket]
    ).output
  }

  @Test("a place that moves with a device is listed, shown and found at the device's position")
  func told() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    _ = try places(daemon, "add", "Group", "--follows", "guide", "--radius", "200")
    let unknown = "a device whose position is unknown here"
    #expect(try places(daemon, "navigate", "Group", "--at", "52.1,5.12").contains(unknown))
    #expect(try places(daemon, "near", "--at", "52.1,5.12").contains(unknown))
    let told = try run(
      BuiltProgram.path("godwit"), "places", "device", "guide", "--at", "52.109,5.12", "--socket",
      daemon.socket)
    #expect(told.status == 0, "\(told.output)")
    let way = try places(daemon, "navigate", "Group", "--at", "52.1,5.12")
    #expect(way.contains("1.0 km to Group") && way.contains("edge in 801 m"), "\(way)")
    let near = try places(daemon, "near", "--at", "52.1,5.12")
    #expect(near.contains("801 m") && !near.contains(unknown), "\(near)")
    let listed = try JSONValue(parsing: places(daemon, "list", "--json")).array?.first
    #expect(listed?["lat"]?.number == 52.109 && listed?["lon"]?.number == 5.12)
    let page = try places(daemon, "show", "Group")
    #expect(page.contains("52.109000, 5.120000"), "\(page)")
    #expect(page.contains("with guide, last reported "), "\(page)")
    try daemon.endsOrderly()
  }
}
