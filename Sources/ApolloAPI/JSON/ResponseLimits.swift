/// How much of a response is accepted.
public struct ResponseLimits: Hashable, Sendable {
  /// How many objects and lists may be nested. Reading, comparing and writing models takes no stack of the thread for them;
  /// releasing them does, and making JSON values of them: up to 1 KB a level with optimization, 4 KB without.
  public var depth: Int
  /// How many bytes a response may have.
  public var byteCount: Int

  /// Limits; by default 512 levels and 256 MiB.
  public init(depth: Int = 512, byteCount: Int = 256 << 20) {
    self.depth = depth
    self.byteCount = byteCount
  }
}
