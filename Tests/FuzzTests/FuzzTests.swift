import Foundation
import FuzzBeacons
import FuzzBoot
import FuzzCells
import FuzzGpsd
import FuzzInput
import FuzzLetters
import FuzzMessages
import FuzzNetlink
import FuzzPeople
import FuzzPlaces
import FuzzReceiver
import FuzzRequests
import FuzzRows
import FuzzSettings
import FuzzState
import FuzzSteps
import FuzzTraces
import TestSupport
import Testing

/// The seeds and findings of fuzzing, run on every machine without libFuzzer.
@Suite struct FuzzTests {
  static var targets: [String: any FuzzTarget.Type] {
    [
      "receiver": ReceiverTarget.self, "gpsd": GpsdTarget.self, "settings": SettingsTarget.self,
      "boot": BootTarget.self, "places": PlacesTarget.self,
      "traces": TracesTarget.self, "state": StateTarget.self, "steps": StepsTarget.self,
      "requests": RequestsTarget.self, "rows": RowsTarget.self,
      "cells": CellsTarget.self, "netlink": NetlinkTarget.self, "messages": MessagesTarget.self,
      "letters": LettersTarget.self, "people": PeopleTarget.self,
      "beacons": BeaconsTarget.self,
    ]
  }
  static var names: [String] { targets.keys.sorted() }

  @Test("seeds and findings pass", arguments: names)
  func replay(name: String) throws {
    let target = try #require(Self.targets[name]).init()
    let seeds = try QuotedInputs("seeds/\(name).txt").inputs
    let found = try QuotedInputs("found/\(name).txt").inputs
    #expect(!seeds.isEmpty)
    for input in seeds + found {
      try input.withUnsafeBufferPointer { try target.run($0) }
      // The same again: state kept between inputs does not change the result.
      try input.withUnsafeBufferPointer { try target.run($0) }
    }
  }

  /// `make fuzz` searches by coverage; this tests inputs near the seeds.
  @Test("seeds with random changes pass", arguments: names)
  func mutated(name: String) throws {
    let target = try #require(Self.targets[name]).init()
    let inputs = try ["seeds", "found"].flatMap { try QuotedInputs("\($0)/\(name).txt").inputs }
    let words = try QuotedInputs("dictionaries/\(name).txt").inputs
    var chance = SplitMix(seed: 43)
    for _ in 0..<400 {
      var input = inputs.randomElement(using: &chance) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        Self.mutate(&input, words, &chance)
      }
      try input.withUnsafeBufferPointer { try target.run($0) }
    }
  }

  private static func mutate(_ input: inout [UInt8], _ words: [[UInt8]], _ chance: inout SplitMix) {
    let place = Int.random(in: 0...input.count, using: &chance)
    let end = Int.random(in: place...min(input.count, place + 40), using: &chance)
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: input.insert(contentsOf: words.randomElement(using: &chance) ?? [], at: place)
    case 1: input.removeSubrange(place..<end)
    case 2: input.insert(contentsOf: Array(input[place..<end]), at: place)
    default:
      if place < input.count { input[place] = .random(in: 0...255, using: &chance) }
    }
  }

  @Test("every target is built, and has a share of a campaign, seeds and dictionary words")
  func everyTargetIsComplete() throws {
    let list = try String(
      contentsOf: QuotedInputs.folder.appendingPathComponent("targets"), encoding: .utf8)
    let lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.map { String($0.split(separator: " ")[0]) }.sorted() == Self.names)
    #expect(lines.compactMap { Int($0.split(separator: " ")[2]) }.reduce(0, +) == 100)
    for name in Self.names {
      let words = try QuotedInputs("dictionaries/\(name).txt").inputs
      #expect(!words.isEmpty, "\(name) has no dictionary")
    }
  }
}

/// The inputs of Tests/Fuzz/seeds and Tests/Fuzz/found: one per line, quoted, in the notation
/// of libFuzzer's dictionaries.
struct QuotedInputs {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz")

  let inputs: [[UInt8]]

  /// - Parameter name: below Tests/Fuzz: "found/gpsd.txt".
  init(_ name: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    inputs = text.split(separator: "\n").filter { $0.hasPrefix("\"") }
      .map { Self.bytes(Array($0.dropFirst().dropLast().utf8)) }
  }

  /// Supports `\xHH`, `\"` and `\\`.
  private static func bytes(_ quoted: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < quoted.count {
      let isEscape = quoted[index] == UInt8(ascii: "\\") && index + 1 < quoted.count
      if isEscape, quoted[index + 1] == UInt8(ascii: "x"), index + 3 < quoted.count {
        let digits = String(decoding: quoted[(index + 2)...(index + 3)], as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
        index += 4
      } else {
        bytes.append(quoted[isEscape ? index + 1 : index])
        index += isEscape ? 2 : 1
      }
    }
    return bytes
  }
}
