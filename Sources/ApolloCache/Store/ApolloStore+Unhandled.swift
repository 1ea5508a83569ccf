/// The calls with a callback, without the callback, for programs in the Swift 5 language mode.
///
/// If the callback had a default value, `try await store.clearCache()` at the top level of
/// `main.swift` would choose that form and await nothing. In the Swift 6 language mode a call
/// whose result is of no interest passes `completion: nil`.
///
/// They are disfavored. Otherwise the compiler would prefer them for a closure without `await`,
/// even in an awaited call, which would then run in the background and lose its errors.
extension ApolloStore {
  /// Runs `body` as the only writer. If it throws, nothing changes.
  @available(swift, obsoleted: 6, message: "Pass 'completion: nil', or await the call.")
  @_disfavoredOverload public func withinReadWriteTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> Value, origin: ChangeOrigin? = nil
  ) {
    withinReadWriteTransaction(body, origin: origin, completion: nil)
  }

  /// Merges records, all or none, and notifies the watches that the changes concern.
  @available(swift, obsoleted: 6, message: "Pass 'completion: nil', or await the call.")
  @_disfavoredOverload public func publish(records: RecordSet, origin: ChangeOrigin? = nil) {
    publish(records: records, origin: origin, completion: nil)
  }

  /// Removes every record, and notifies every watch.
  @available(swift, obsoleted: 6, message: "Pass 'completion: nil', or await the call.")
  @_disfavoredOverload public func clearCache() { clearCache(completion: nil) }
}
