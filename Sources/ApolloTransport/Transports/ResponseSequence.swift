/// The responses to one operation, in the order of their arrival.
///
/// ```swift
/// for try await response in apollo.subscribe(subscription: ReviewAddedSubscription()) {
///   print(response.data?.reviewAdded.stars ?? 0)
/// }
/// ```
///
/// The contract of every sequence of responses, between a transport and the network, between
/// interceptors, and between a client and a program:
///
/// 1. *Laziness.* Nothing happens before the first response is awaited. Each iteration is a call of
///    its own.
/// 2. *Order.* Responses are delivered one after the other, as they arrive.
/// 3. *One end.* An iteration ends exactly once: with `nil`, or with an error. Afterwards it
///    returns `nil`.
/// 4. *Cancellation.* Cancelling the task that awaits a response, or releasing the iterator, ends
///    the call and frees what it holds. A cancelled call throws `CancellationError`.
/// 5. *Buffering.* At most one response waits for its reader. What arrives meanwhile is not read
///    from the network, or is treated as the transport documents.
/// 6. *Ownership.* The work is done by the task that awaits the response, or by a task that it
///    cancels and waits for. Only work that ignores cancellation is left behind, at the deadline of
///    the call.
public struct ResponseSequence<Response: Sendable>: AsyncSequence, Sendable {
  /// A response.
  public typealias Element = Response

  private let makePull: @Sendable () -> () async throws -> Response?

  /// Creates a sequence from a source of responses.
  ///
  /// - Parameter makePull: A closure that starts an iteration: it returns a closure, which returns
  ///   the next response, or `nil` after the last one. That closure is released when the iteration
  ///   ends.
  public init(_ makePull: @escaping @Sendable () -> () async throws -> Response?) {
    self.makePull = makePull
  }

  /// Creates a sequence with one response.
  public init(one response: @escaping @Sendable () async throws -> Response) {
    self.init {
      var isFirst = true
      return {
        guard isFirst else { return nil }
        isFirst = false
        return try await response()
      }
    }
  }

  /// Creates a sequence with the elements of another one.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Response {
    self.init {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  /// Creates a sequence without responses that throws an error.
  package init(throwing error: any Error) {
    self.init { { throw error } }
  }

  /// Returns an iterator that has not started the call.
  public func makeAsyncIterator() -> Iterator { Iterator(pull: makePull()) }

  /// An iterator that does the work of the call when a response is awaited.
  public struct Iterator: AsyncIteratorProtocol {
    /// `nil` after the end.
    private var pull: (() async throws -> Response?)?

    init(pull: @escaping () async throws -> Response?) { self.pull = pull }

    /// Returns the next response, or `nil` after the last one.
    public mutating func next() async throws -> Response? {
      guard let pull else { return nil }
      do {
        if let response = try await pull() { return response }
        self.pull = nil
        return nil
      } catch {
        self.pull = nil
        throw error
      }
    }
  }
}

extension ResponseSequence {
  /// Returns the last response, or `nil` if there is none.
  package func last() async throws -> Response? {
    var last: Response?
    for try await response in self { last = response }
    return last
  }
}

/// The responses of a server to one operation, not yet decoded.
public typealias NetworkResponses = ResponseSequence<NetworkResponse>
