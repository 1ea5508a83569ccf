internal import ApolloAPI
public import ApolloTransport
public import protocol Foundation.LocalizedError

/// A transport that gives scripted responses, for tests without a network.
///
/// ```swift
/// let transport = MockNetworkTransport()
/// transport.respond(
///   to: HeroQuery.self, with: .data(Mock<Query>(hero: Mock<Droid>(name: "R2-D2"))))
/// let client = ApolloClient(networkTransport: transport)
/// let response = try await client.fetch(query: HeroQuery())
/// print(response.data?.hero?.name ?? "no hero")  // R2-D2
/// ```
///
/// The cache, watchers and deadlines work as with a server. Use a client and a transport of its own
/// in each test.
///
/// Isolation: a lock guards the scripts and the log of requests.
public final class MockNetworkTransport: SubscriptionNetworkTransport, UploadingNetworkTransport {
  private struct State {
    var scripts: [ObjectIdentifier: @Sendable (any GraphQLOperation) throws -> [MockStep]] = [:]
    var requests: [OperationRequest] = []
    var uploads: [[GraphQLFile]] = []
  }

  private let clock: any Clock<Duration>
  private let state = Lock(State())

  /// Creates a transport without scripts.
  ///
  /// - Parameter clock: The clock for delays, such as a ``TestClock``.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// The requests so far, in order.
  public var requests: [OperationRequest] { state.withLock { $0.requests } }

  /// The operations of one type that were sent so far, in order.
  public func operations<Operation: GraphQLOperation>(_ type: Operation.Type) -> [Operation] {
    requests.compactMap { $0.operation as? Operation }
  }

  /// The files of each upload so far, in order.
  public var uploads: [[GraphQLFile]] { state.withLock { $0.uploads } }

  /// Scripts the responses to an operation. Replaces its earlier script.
  ///
  /// - Parameters:
  ///   - operation: The type of the operation.
  ///   - responses: The responses, one for each request in order. The last one is repeated.
  public func respond<Operation: GraphQLOperation>(
    to operation: Operation.Type, with responses: MockResponse<Operation>...
  ) {
    precondition(!responses.isEmpty, "Give at least one response to '\(operation)'.")
    let next = Lock(0)
    respond(to: operation) { _ in
      let index = next.withLock { index in
        defer { index += 1 }
        return min(index, responses.count - 1)
      }
      return responses[index]
    }
  }

  /// Scripts the responses to an operation by the values of its variables.
  ///
  /// ```swift
  /// transport.respond(to: HeroQuery.self) { query in
  ///   query.detailed ? .errors("Not now.") : .data(Mock<Query>())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The type of the operation.
  ///   - response: A closure that returns the response to a request, or throws the error of the
  ///     transport.
  public func respond<Operation: GraphQLOperation>(
    to operation: Operation.Type,
    _ response: @escaping @Sendable (Operation) throws -> MockResponse<Operation>
  ) {
    state.withLock { state in
      state.scripts[ObjectIdentifier(operation)] = { operation in
        // Scripts are found by the type of the operation.
        try response(operation as! Operation).steps
      }
    }
  }
}

extension MockNetworkTransport {
  /// The error of a request to which no response is scripted.
  public struct UnscriptedOperationError: Error, CustomStringConvertible, LocalizedError {
    /// The name of the operation.
    public let operationName: String
    /// The name of its type in Swift.
    private let typeName: String

    init(_ operation: any GraphQLOperation) {
      let type = type(of: operation)
      operationName = type.operationName
      typeName = "\(type)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// A sentence for the log of the test.
    public var description: String {
      """
      No response to '\(operationName)' is scripted. Call 'respond(to: \(typeName).self, with: …)' \
      on the transport before the request.
      """
    }
  }
}

// MARK: - Sending

extension MockNetworkTransport {
  /// Returns the last scripted response to a query or a mutation.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard let last = try await responses(to: request).last() else {
      throw UnscriptedOperationError(request.operation)
    }
    return last
  }

  /// Returns the scripted responses to an operation.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var steps: ArraySlice<MockStep>?
      return { [self] in
        if steps == nil { steps = try begin(request)[...] }
        while let step = steps?.popFirst() {
          if let response = try await perform(step) { return response }
        }
        return nil
      }
    }
  }

  /// Returns the last scripted response to an operation with files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    state.withLock { $0.uploads.append(files) }
    return try await send(request)
  }

  private func begin(_ request: OperationRequest) throws -> [MockStep] {
    let type = type(of: request.operation)
    let script = state.withLock { state in
      state.requests.append(request)
      return state.scripts[ObjectIdentifier(type)]
    }
    guard let script else { throw UnscriptedOperationError(request.operation) }
    return try script(request.operation)
  }

  private func perform(_ step: MockStep) async throws -> NetworkResponse? {
    switch step {
    case .body(let body): return NetworkResponse(body: body)
    case .failure(let error): throw error
    case .delay(let delay):
      try await clock.sleep(for: delay)
      return nil
    case .silence:
      try await TestClock().sleep(for: .seconds(1))  // a clock that is never advanced
      return nil
    }
  }
}
