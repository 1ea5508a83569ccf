/// The identity of an operation within one transport, for as long as the program waits for results.
///
/// Its `id` on the wire is another one on each connection.
struct OperationKey: Hashable, Comparable, Sendable {
  /// Operations that began earlier have lower numbers.
  let number: Int

  static func < (lhs: OperationKey, rhs: OperationKey) -> Bool { lhs.number < rhs.number }
}
