import Glibc
import GodwitSettings
import Hardware
import Core
import Platform
import Ports
import Store

/// Reports what is known of the positions of access points and cells, and whether more can be
/// learnt. The receiver does not depend on it, so only an unreadable file is a failure.
enum RadioMapDiagnosis {
  private static let learntPart = "radio_map"
  private static let cellsPart = "cells"

  /// - Parameter store: its path; the two files are beside it unless the settings say otherwise.
  static func findings(_ settings: Settings, store: String) -> [Finding] {
    let paths = RadioMapPaths(store: store)
    return [
      learnt(settings.surroundings.radioMap ?? paths.learnt),
      cells(settings.sources[CellSettings.self].table ?? paths.cells),
    ]
  }

  static func learnt(_ path: String) -> Finding {
    do throws(PortError) {
      let contents = try LearntMapContents(path: path)
      // SQLite creates its log beside the file.
      let folder = PathParts(path).folder
      guard access(folder, W_OK | X_OK) == 0,
        access(path, F_OK) != 0 || access(path, R_OK | W_OK) == 0
      else {
        return .warn(
          learntPart,
          "this user cannot write \(path), so no access point is learnt: run the check as the "
            + "daemon's user (sudo -u godwit godwit doctor), make that user the owner of the "
            + "folder, or set coarse.radio_map_path")
      }
      guard let contents else {
        return .ok(
          learntPart, "\(path) will be created at the first good fix; nothing is learnt yet")
      }
      return .ok(learntPart, "\(path) has \(text(contents))")
    } catch {
      return .fail(learntPart, error.message)
    }
  }

  private static func text(_ contents: LearntMapContents) -> String {
    let points = Counted.text(contents.accessPoints, "access point")
    let left = contents.accessPoints - contents.trusted
    let moved = left > 0 ? " (\(left) of them doubtful or mobile)" : ""
    let cells = Counted.text(contents.cells, "cell")
    let last = contents.lastReception.map { ", the latest received on \(day($0))" } ?? ""
    return "the positions of \(points)\(moved) and \(cells)\(last)"
  }

  static func cells(_ path: String) -> Finding {
    do throws(CellImportError) {
      guard let contents = try CellTableContents(path: path) else {
        return .ok(
          cellsPart,
          "no cells were imported to \(path): cells locate the board only once this device has "
            + "learnt them, or after `godwit cells import FILE`")
      }
      guard contents.cells > 0 else {
        return .warn(cellsPart, "\(path) has no cells: import some with `godwit cells import FILE`")
      }
      let countries = contents.countries.prefix(8).map { String($0.mcc) }.joined(separator: ", ")
      let more = contents.countries.count > 8 ? " and more" : ""
      let newest = contents.newest.map {
        ", the newest measured on \(day(UTCInstant(seconds: Double($0))))"
      }
      return .ok(
        cellsPart,
        "\(path) has \(Counted.text(contents.cells, "cell")) of the countries \(countries)\(more), "
          + "imported on \(day(contents.imported))\(newest ?? "")")
    } catch {
      return .fail(cellsPart, error.message)
    }
  }

  private static func day(_ time: UTCInstant) -> String { String(ISO8601.text(time).prefix(10)) }
}
