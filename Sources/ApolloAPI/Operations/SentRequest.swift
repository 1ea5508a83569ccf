/// One request to a server, from its sending to its end.
///
/// Its number tells which of two requests was sent later. A transport that gives one response to
/// several callers passes the request on with it (`NetworkResponse.sent`).
package final class SentRequest: Sendable {
  /// The position in the order of requests and writes.
  package let number: UInt64
  package let operationType: GraphQLOperationType
  private let onEnd: @Sendable (UInt64) -> Void
  private let hasEnded = Lock(false)

  /// - Parameters:
  ///   - number: The position in the order of requests and writes.
  ///   - operationType: The type of the operation.
  ///   - onEnd: A closure that receives the number when the request has ended.
  package init(
    number: UInt64, operationType: GraphQLOperationType,
    onEnd: @escaping @Sendable (UInt64) -> Void
  ) {
    self.number = number
    self.operationType = operationType
    self.onEnd = onEnd
  }

  deinit { end() }

  /// Ends the request, whose last response was handled. A transport may keep the reference.
  package func end() {
    if !hasEnded.exchange(true) { onEnd(number) }
  }
}
