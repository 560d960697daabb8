import Platform

/// The folder for the stores of a comparison's runs, one file for each run.
struct StoreFolder {
  private let path: String
  /// For each truth, its unique name in file names.
  private let labels: [String]
  private let plan: ComparisonPlan

  /// Creates the folder if it is missing.
  ///
  /// - Throws: if one of its stores exists already.
  init(_ path: String, _ plan: ComparisonPlan) throws {
    self.path = path
    self.plan = plan
    var used: [String: Int] = [:]
    labels = plan.truths.map { truth in
      let name =
        switch truth {
        case .trace(let path): WrittenStays.baseName(path)
        case .life(let name): name
        }
      used[name, default: 0] += 1
      let count = used[name] ?? 1
      return count == 1 ? name : "\(name)-\(count)"
    }
    try OutputFolder.make(path)
    guard TraceList.isFolder(path) else {
      throw CommandError.wrongUsage(
        "--store \(path): of several runs it is the folder for their stores, and this is none")
    }
    for index in 0..<plan.count {
      guard let store = store(index), FileStatus(path: store, followsLinks: false) != nil else {
        continue
      }
      throw CommandError.wrongUsage("\(store) exists already; remove it or name another folder")
    }
  }

  /// Nil for a reference that was not requested.
  func store(_ index: Int) -> String? {
    let run = plan[index]
    let candidate = plan.candidates[run.candidate]
    guard candidate.isListed else { return nil }
    let words =
      [candidate.policy] + candidate.assignments + [labels[run.truth], "seed\(run.seed)"]
    let name = words.joined(separator: "-").replacing("/", with: "_")
    return PathParts(folder: path, name: name + ".gpkg").path
  }
}
