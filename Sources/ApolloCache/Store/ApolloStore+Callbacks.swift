public import ApolloAPI
public import Dispatch

/// What a call with a callback ends in.
public typealias StoreCompletion<Value> = @Sendable (Result<Value, any Error>) -> Void

/// The same as the `async` functions, for code that is not.
///
/// Each call returns at once, and calls back exactly once: on `callbackQueue`, or on any thread where none is given. Calls take
/// effect in the order in which they were made: each sees what the calls before it have written. A call from inside of a
/// transaction takes effect after that transaction.
extension ApolloStore {
  /// Runs `body` with a view of the records that does not change while it runs, and calls back with what it returns.
  ///
  /// - Parameters:
  ///   - body: what reads. The transaction ends when it returns.
  ///   - callbackQueue: where to call back.
  ///   - completion: takes what `body` returned or threw, or what the cache threw.
  public func withinReadTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Value,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<Value>? = nil
  ) {
    call(.reading, callbackQueue, completion) { store async throws in
      try await store.withinReadTransaction { transaction throws in try body(transaction) }
    }
  }

  /// Runs `body` as the only writer, and calls back with what it returns. If it throws, nothing has changed.
  ///
  /// - Parameters:
  ///   - body: what reads and writes. The transaction ends when it returns.
  ///   - origin: handed on to watchers, who may want to ignore what they wrote themselves.
  ///   - callbackQueue: where to call back.
  ///   - completion: takes what `body` returned or threw, or what the cache threw. What was written is visible by then.
  public func withinReadWriteTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> Value,
    origin: ChangeOrigin? = nil,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<Value>? = nil
  ) {
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.withinReadWriteTransaction(origin: origin) { transaction throws in
        try body(transaction)
      }
    }
  }

  /// Reads what an operation asks for, and calls back.
  ///
  /// - Parameters:
  ///   - operation: what to read, with its variables.
  ///   - callbackQueue: where to call back.
  ///   - resultHandler: takes the data; a ``CacheMissError`` that says what of it is missing; or what the cache threw.
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
      return GraphQLResult(data: data, source: .cache)
    }
  }

  /// Merges records, all of them or none, tells who watches what changed, and calls back.
  ///
  /// - Parameters:
  ///   - records: the records, in the order in which to merge them.
  ///   - origin: handed on to watchers, who may want to ignore what they wrote themselves.
  ///   - callbackQueue: where to call back.
  ///   - completion: takes what changed, or what the cache threw.
  public func publish(
    records: RecordSet,
    origin: ChangeOrigin? = nil,
    callbackQueue: DispatchQueue? = nil,
    completion: StoreCompletion<ChangeSet>? = nil
  ) {
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.publish(records, origin: origin)
    }
  }

  /// Removes every record, tells every watcher, and calls back.
  ///
  /// - Parameters:
  ///   - callbackQueue: where to call back.
  ///   - completion: takes what the cache threw, if it did.
  public func clearCache(
    callbackQueue: DispatchQueue? = nil, completion: StoreCompletion<Void>? = nil
  ) {
    call(.writing, callbackQueue, completion) { store async throws in
      try await store.clearCache()
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
