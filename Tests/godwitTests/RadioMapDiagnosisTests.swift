import Foundation
import GodwitSettings
import Hardware
import RadioSignals
import Core
import Store
import Records
import TestSupport
import Testing

@testable import godwit

@Suite struct RadioMapDiagnosisTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var store: String { scratch.file("godwit.gpkg") }

  @Test("missing files are fine, a missing folder is a warning")
  func absent() {
    let findings = RadioMapDiagnosis.findings(Settings(), store: store)
    #expect(findings.map(\.part) == ["radio_map", "cells"])
    #expect(findings.allSatisfy { $0.verdict == .ok })
    #expect(findings[1].text.contains("godwit cells import"))
    #expect(RadioMapDiagnosis.learnt("/no/such/folder/map").verdict == .warn)
  }

  @Test("it reports learnt and imported data, and changes nothing, also under a daemon")
  func contents() throws {
    let paths = RadioMapPaths(store: store)
    let map = RadioMapFiles(path: paths.learnt, table: paths.cells)
    let home = Coordinate(latitude: 52, longitude: 5)
    let place = AccessPointPlace(
      pseudonym: 1, position: home, weight: 1, spread: 5, reach: 5, strength: -60, fixes: 3,
      days: 2, lastReception: UTCInstant(seconds: 1_780_000_000))
    try map.save([place], cell: nil)
    let work = try CellImport(path: paths.cells, order: .init(source: ""), adding: false)
    _ = try work.finish()
    #expect(RadioMapDiagnosis.cells(paths.cells).verdict == .warn)
    for _ in 0..<2 {
      let before = scratch.files
      let finding = RadioMapDiagnosis.learnt(paths.learnt)
      #expect(finding.verdict == .ok)
      #expect(finding.text.contains("1 access point and 0 cells"), "\(finding.text)")
      #expect(finding.text.contains("2026-05-28"), "\(finding.text)")
      #expect(scratch.files == before)
      map.close()
    }
  }

  @Test("a path that names another file is a failure and names its setting") func foreign()
    throws
  {
    try scratch.write("a text that is not a database", to: "text")
    var settings = Settings()
    settings.surroundings.radioMap = scratch.file("text")
    settings.sources[CellSettings.self].table = scratch.file("text")
    let findings = RadioMapDiagnosis.findings(settings, store: store)
    #expect(findings.allSatisfy { $0.verdict == .fail })
    #expect(findings[0].text.contains("coarse.radio_map_path"))
    #expect(findings[1].text.contains("text"))
    #expect(try scratch.text("text") == "a text that is not a database")
  }
}
