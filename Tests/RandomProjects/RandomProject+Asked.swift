import Foundation

extension RandomProject {
  /// The projects that the environment asks for: `RANDOM_PROJECTS` of them, from the seed
  /// `RANDOM_SEED` on.
  ///
  /// - Parameters:
  ///   - count: How many there are when nobody asks.
  ///   - limit: How many there are at most.
  /// - Returns: The projects, in the order of their seeds.
  package static func asked(_ count: UInt64, atMost limit: UInt64 = .max) -> [RandomProject] {
    func variable(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    let first = variable("RANDOM_SEED") ?? 0
    return (first..<first + min(variable("RANDOM_PROJECTS") ?? count, limit)).map {
      RandomProject(seed: $0)
    }
  }
}
