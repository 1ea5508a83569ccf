/// The operations of a ``TransportStateMachine`` that have not ended, by key.
struct OperationTable<Request> {
  struct Operation {
    fileprivate(set) var kind: OperationKind
    let request: Request
    /// The id on the current connection.
    fileprivate(set) var id: String?
    /// `true` if the operation was sent on any connection.
    fileprivate(set) var wasSent = false
    /// `true` after a failure was reported to the subscription, until it is sent.
    fileprivate(set) var isInterrupted = false
  }

  private var operations: [OperationKey: Operation] = [:]
  /// The requests of operations that have ended since the last ``takeEndedRequests()``.
  private var endedRequests: [Request] = []
  private var lastID = 0

  var isEmpty: Bool { operations.isEmpty }

  /// The keys in the order in which the operations began.
  var keys: [OperationKey] { operations.keys.sorted() }

  subscript(key: OperationKey) -> Operation? { operations[key] }

  mutating func add(_ key: OperationKey, _ kind: OperationKind, _ request: Request) {
    operations[key] = Operation(kind: kind, request: request)
  }

  /// Returns an id that no operation of the transport has had.
  mutating func makeID() -> String {
    lastID += 1
    return String(lastID)
  }

  /// Notes that an operation is sent.
  mutating func noteSending(_ key: OperationKey, id: String) {
    operations[key]?.id = id
    operations[key]?.wasSent = true
    operations[key]?.isInterrupted = false
  }

  /// Notes that the server has announced more parts of a response.
  mutating func expectMoreParts(of key: OperationKey) { operations[key]?.kind = .incremental }

  // MARK: Ends

  @discardableResult
  mutating func discard(_ key: OperationKey) -> Operation? {
    guard let operation = operations.removeValue(forKey: key) else { return nil }
    endedRequests.append(operation.request)
    return operation
  }

  /// Removes all operations, and returns them in their order.
  mutating func discardAll() -> [(key: OperationKey, wasSent: Bool)] {
    keys.map { ($0, discard($0)?.wasSent ?? false) }
  }

  /// Returns the requests of the operations that have ended since the last call.
  ///
  /// Requests hold closures of the program, whose release can run code of the program. The driver
  /// releases them without its lock.
  mutating func takeEndedRequests() -> [Request] {
    guard !endedRequests.isEmpty else { return [] }
    defer { endedRequests = [] }
    return endedRequests
  }

  // MARK: Lost connections

  /// An operation that loses its connection.
  struct Loss {
    let key: OperationKey
    /// `true` for a subscription, which waits for the next connection. Other operations have ended.
    let isSubscription: Bool
    /// `true` if the operation was sent on the connection.
    let wasSent: Bool
  }

  /// Ends queries and mutations, and interrupts the subscriptions that were sent.
  ///
  /// - Parameter isReplaced: `true` if another connection follows at once. What was not sent can be
  ///   sent on that one.
  /// - Returns: Those that have ended or are interrupted.
  mutating func loseConnection(isReplaced: Bool) -> [Loss] {
    keys.compactMap { key in
      guard let operation = operations[key] else { return nil }
      let isSubscription = operation.kind == .subscription
      let wasSent = operation.id != nil
      if !wasSent, isSubscription || isReplaced { return nil }
      if isSubscription {
        operations[key]?.id = nil
        operations[key]?.isInterrupted = true
      } else {
        discard(key)
      }
      return Loss(key: key, isSubscription: isSubscription, wasSent: wasSent)
    }
  }

  /// Returns the operations to which no failure was reported since they began or were sent, and
  /// notes that this happens now.
  mutating func interruptUnsent() -> [OperationKey] {
    keys.filter { key in
      guard operations[key]?.isInterrupted == false else { return false }
      operations[key]?.isInterrupted = true
      return true
    }
  }
}
