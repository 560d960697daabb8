import Hardware
import Foundation
import TestSupport
import Testing

@testable import godwit

@Suite struct AlertCommandDiagnosisTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func finding(_ program: String?, socket: String = "/nonexistent.sock") -> Finding? {
    var settings = AlertCommandSettings()
    if let program { settings.words = [program, "argument"] }
    settings.socket = socket
    return AlertCommandDiagnosis.finding(settings)
  }

  @Test("without a command there is nothing to find") func none() { #expect(finding(nil) == nil) }

  @Test("a command that is missing, or is not executable, is a failure") func missing() throws {
    #expect(finding("/nonexistent")?.verdict == .fail)
    #expect(finding("/tmp")?.text.contains("is not executable") == true)
    try folder.write("#!/bin/sh\n", to: "script")
    #expect(finding(folder.file("script"))?.verdict == .fail)
    chmod(folder.file("script"), 0o750)
    #expect(finding(folder.file("script"))?.verdict == .warn)
  }

  @Test("a command without a runner is a failure") func socket() throws {
    let found = try #require(finding("/bin/true"))
    #expect(found.verdict == .fail)
    #expect(found.text.contains("systemctl enable --now godwit-alert.socket"))
  }

  @Test("with both there is nothing to report") func good() throws {
    let path = folder.file("alert.sock")
    let listener = try ListeningSocket(path)
    #expect(finding("/bin/true", socket: path)?.verdict == .ok)
    withExtendedLifetime(listener) {}
  }
}
