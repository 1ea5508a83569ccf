public import ApolloAPI
public import Dispatch
public import struct Foundation.UUID

/// The callback of a call: it receives the result exactly once.
public typealias StoreCompletion<Value> = @Sendable (Result<Value, any Error>) -> Void

/// The counterparts of the `async` methods, for code that cannot await.
///
/// ```swift
/// store.load(HeroQuery(), callbackQueue: .main) { result in
///   print((try? result.get().data?.hero?.name) ?? "no hero")
/// }
/// ```
///
/// Each call returns at once and calls back exactly once: on `callbackQueue`, or on any thread if
/// there is none. Calls take effect in the order in which they are made: each sees the writes of
/// the calls before it, and an awaited `clearCache()` removes them. A call from inside of a
/// transaction takes effect after that transaction.
///
/// A callback without a queue is the end of its call. One that blocks its thread until a later call
/// or a clearing of the cache has ended never returns.
extension ApolloStore {
  /// Runs `body` with a view of the records that does not change meanwhile.
  ///
  /// - Parameters:
  ///   - body: The closure that reads. The transaction ends when it returns.
  ///   - callbackQueue: The queue to call back on.
  ///   - completion: Receives the result of `body`, its error, or the error of the cache.
  public func withinReadTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Value,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<Value>?
  ) {
    call(.reading, callbackQueue, completion) { store async throws in
      try await store.withinReadTransaction { transaction throws in try body(transaction) }
    }
  }

  /// Runs `body` as the only writer. If it throws, nothing changes.
  ///
  /// - Parameters:
  ///   - body: The closure that reads and writes. The transaction ends when it returns.
  ///   - origin: The origin of the write, which is delivered with the change.
  ///   - callbackQueue: The queue to call back on.
  ///   - completion: Receives the result of `body`, its error, or the error of the cache. The
  ///     writes are visible by then.
  public func withinReadWriteTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> Value,
    origin: ChangeOrigin? = nil,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<Value>?
  ) {
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.withinReadWriteTransaction(origin: origin) { transaction throws in
        try body(transaction)
      }
    }
  }

  /// Reads the data of an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation, with its variables.
  ///   - callbackQueue: The queue to call back on.
  ///   - resultHandler: Receives the data, a ``CacheMissError`` with the misses, or the error of
  ///     the cache.
  public func load<Operation: GraphQLOperation>(
    _ operation: Operation,
    callbackQueue: DispatchQueue? = nil,
    resultHandler: @escaping StoreCompletion<GraphQLResult<Operation.Data>>
  ) {
    call(.reading, callbackQueue, resultHandler) { store async throws in
      let reading = try await store.load(operation)
      guard let data = reading.data else {
        throw CacheMissError(operationName: Operation.operationName, misses: reading.misses)
      }
      var result = GraphQLResult(data: data, source: .cache)
      result.dependencies = reading.trace
      result.freshness = reading.freshness
      return result
    }
  }

  /// Merges records, all or none, and notifies the watches that the changes concern.
  ///
  /// - Parameters:
  ///   - records: The records, in the order in which to merge them.
  ///   - origin: The origin of the write, which is delivered with the change.
  ///   - callbackQueue: The queue to call back on.
  ///   - completion: Receives the changes, or the error of the cache.
  public func publish(
    records: RecordSet,
    origin: ChangeOrigin? = nil,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<ChangeSet>?
  ) {
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.publish(records, origin: origin)
    }
  }

  /// Merges records, all or none, and notifies the watches that the changes concern.
  ///
  /// - Parameters:
  ///   - records: The records, in the order in which to merge them.
  ///   - identifier: The identifier of the write. A subscriber receives it with the change.
  ///   - callbackQueue: The queue to call back on.
  ///   - completion: Receives the error of the cache, if there is one.
  public func publish(
    records: RecordSet, identifier: UUID?, callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<Void>? = nil
  ) {
    let origin = identifier.map { ChangeOrigin($0) }
    call(.writing, callbackQueue, completion) { store async throws in
      _ = try await store.publish(records, origin: origin)
    }
  }

  /// Removes every record, and notifies every watch.
  ///
  /// - Parameters:
  ///   - callbackQueue: The queue to call back on.
  ///   - completion: Receives the error of the cache, if there is one.
  public func clearCache(
    callbackQueue: DispatchQueue? = nil, completion: StoreCompletion<Void>?
  ) {
    // Here, because requests that are sent after this call may write.
    let number = siblings.order.askForClearing()
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.clearCache(askedAt: number)
    }
  }

  private func call<Value: Sendable>(
    _ kind: CallQueue.Kind, _ callbackQueue: DispatchQueue?, _ completion: StoreCompletion<Value>?,
    _ work: @escaping @Sendable (ApolloStore) async throws -> Value
  ) {
    calls.enqueue(kind) {
      let result: Result<Value, any Error>
      do {
        result = .success(try await work(self))
      } catch {
        result = .failure(error)
      }
      guard let completion else { return }
      if let callbackQueue {
        callbackQueue.async { completion(result) }
      } else {
        completion(result)
      }
    }
  }
}
