import ApolloCache
import ApolloSQLite
import Foundation
import SeededRandom
import SimulatedLists

/// Random changes of lists against a second implementation of the rules, for `scripts/stress
/// lists`.
///
///     list-stress memory|sqlite|file|chain <count> [<seed>]
///
/// Each thousand steps begin with an empty cache and the next seed. Prints each fault with its
/// seed, and the number of steps at the end.
@main
struct ListStress {
  private static let stepsOfASeed = 1_000

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let kind = arguments.first, let count = arguments.dropFirst().first.flatMap(Int.init),
      let firstSeed = arguments.count > 2 ? arguments.last.flatMap(UInt64.init) : freshSeed
    else {
      FileHandle.standardError.write(
        Data("usage: list-stress memory|sqlite|file|chain <count> [<seed>]\n".utf8))
      exit(2)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "list-stress-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // what is left is the system's
    var faultCount = 0
    for number in 0..<((count + stepsOfASeed - 1) / stepsOfASeed) {
      let seed = firstSeed &+ UInt64(number)
      guard var simulation = try simulation(kind, seed, folder) else {
        print("There is no kind '\(kind)'.")
        exit(2)
      }
      for step in 0..<min(stepsOfASeed, count - number * stepsOfASeed) {
        guard let fault = try await simulation.step() else { continue }
        faultCount += 1
        print("\(kind), seed \(seed), step \(step): \(fault)")
        break
      }
    }
    print("\(count) steps on \(kind) from seed \(firstSeed): \(faultCount) faults")
    if faultCount > 0 { exit(1) }
  }

  /// Returns a simulation on an empty cache, or `nil` if there is no such kind.
  private static func simulation(
    _ kind: String, _ seed: UInt64, _ folder: URL
  ) throws -> ListSimulation? {
    switch kind {
    case "memory": return ListSimulation(InMemoryNormalizedCache(), seed: seed)
    case "sqlite": return ListSimulation(try SQLiteNormalizedCache.inMemory(), seed: seed)
    case "chain":
      return ListSimulation(
        ChainedNormalizedCache(try SQLiteNormalizedCache.inMemory()), seed: seed)
    case "file":
      // Those of earlier seeds are closed.
      for file in try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      {
        try FileManager.default.removeItem(at: file)
      }
      let file = folder.appendingPathComponent("\(seed).sqlite")
      return ListSimulation(
        try SQLiteNormalizedCache(fileURL: file),
        foreign: try SQLiteNormalizedCache(fileURL: file), seed: seed)
    default: return nil
    }
  }
}
