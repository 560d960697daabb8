import Glibc

/// `godwit-bench NAME [ARGUMENTS]` runs one measurement and prints its figures, one to a line.
let benchmarks: [(name: String, subject: String, run: ([String]) throws -> Void)] = [
  ("decode", "NMEA decoding: MB/s and fixes/s [FILE]", DecodeBenchmark.run),
  ("noise", "random bytes through the decoder: MB/s and memory [MEGABYTES]", NoiseBenchmark.run),
  ("trace", "reading CSV and GPX traces: MB/s and samples/s [FILE]", TraceBenchmark.run),
  ("visits", "visit detection and trajectory: locations/s [DAYS]", VisitBenchmark.run),
  ("motion", "the estimate of rest and movement: ns a step [DAYS]", MotionBenchmark.run),
  ("store", "bytes to the disk per day of tracking [FOLDER [DAYS]]", StoreBenchmark.run),
  ("places", "a fix among few and many places: us and memory [FOLDER [COUNT]]", PlaceBenchmark.run),
  ("cells", "look-ups in a table of cells TABLE [ROWS]", CellBenchmark.run),
  ("cell-table", "print a table of cells as CSV [ROWS]", CellBenchmark.table),
  ("truth", "print a dense truth as CSV [DAYS]", TruthBenchmark.run),
  ("transcript", "print a synthetic receiver's day [SECONDS]", TranscriptBenchmark.run),
]

let arguments = CommandLine.arguments.dropFirst()
guard let chosen = benchmarks.first(where: { $0.name == arguments.first }) else {
  for benchmark in benchmarks { print("godwit-bench \(benchmark.name): \(benchmark.subject)") }
  exit(2)
}
try chosen.run(Array(arguments.dropFirst()))
