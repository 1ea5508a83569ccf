/// The limits for the size and the depth of a response.
///
/// A response beyond a limit fails with ``ResponseError/Problem/tooDeep(limit:)`` or
/// ``ResponseError/Problem/tooLarge(limit:)``. An `ApolloClient` has the default limits. A decoder
/// of the program can have others:
///
/// ```swift
/// let decoder = ResponseDecoder(limits: ResponseLimits(depth: 64, byteCount: 1 << 20))
/// ```
public struct ResponseLimits: Hashable, Sendable {
  /// The greatest number of nested objects and lists. Reading, comparing and writing models takes
  /// no stack of the thread for nesting. Releasing them does, and so does making JSON values of
  /// them: up to 1 KB a level with optimization, 4 KB without.
  public var depth: Int
  /// The greatest number of bytes.
  public var byteCount: Int

  /// Creates limits, by default 512 levels and 256 MiB.
  public init(depth: Int = 512, byteCount: Int = 256 << 20) {
    self.depth = depth
    self.byteCount = byteCount
  }
}
