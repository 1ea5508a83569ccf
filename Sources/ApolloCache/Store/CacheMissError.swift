public import protocol Foundation.LocalizedError

/// An operation that the cache alone was to answer, and could not.
public struct CacheMissError: Error, Hashable, Sendable {
  /// The operation's name.
  public let operationName: String

  /// What is missing, in the order of the selection; at most ``CacheReading/maximumMissCount``.
  public let misses: [CacheMiss]

  /// Reports what an operation lacks.
  package init(operationName: String, misses: [CacheMiss]) {
    self.operationName = operationName
    self.misses = misses
  }
}

extension CacheMissError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// What was found and what to do about it.
  public var description: String {
    let first = misses.first.map { ": \($0)" } ?? "."
    let others = misses.count > 1 ? " (\(misses.count - 1) more)" : ""
    return "The cache cannot answer '\(operationName)'\(first)\(others) "
      + "Fetch it from the server first."
  }
}
