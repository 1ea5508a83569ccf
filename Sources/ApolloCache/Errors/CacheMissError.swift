public import protocol Foundation.LocalizedError

/// An operation that was to be read from the cache alone, which does not have all of its data.
///
/// ```swift
/// do {
///   _ = try await apollo.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)
/// } catch let error as CacheMissError {
///   for miss in error.misses { print(miss) }
/// }
/// ```
public struct CacheMissError: Error, Hashable, Sendable {
  /// The name of the operation.
  public let operationName: String

  /// The misses in the order of the selection, at most ``CacheReading/maximumMissCount``.
  public let misses: [CacheMiss]

  package init(operationName: String, misses: [CacheMiss]) {
    self.operationName = operationName
    self.misses = misses
  }
}

extension CacheMissError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and what to do about it.
  public var description: String {
    let first = misses.first.map { " \($0)" } ?? " Fetch it from the server first."
    let others = misses.count > 1 ? " (\(misses.count - 1) more)" : ""
    return "The cache does not have all data of '\(operationName)'.\(first)\(others)"
  }
}
