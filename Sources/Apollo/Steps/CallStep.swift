import ApolloAPI
import ApolloTransport

/// A step that every call takes, in the order of ``EveryStep``.
///
/// A step is a value without state: what belongs to one call is in the ``Call``.
/// `Documentation/Design/0009-three-generations.md` has an example.
protocol CallStep: Sendable {
  /// Returns `false` if the step has nothing to do for a call, which then passes it by. `true` by
  /// default.
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool

  /// Returns the next response of a call, usually that of `rest`, or `nil` after the last one.
  ///
  /// The steps of a subscription also return `nil` when nothing has arrived (``Call/isWaiting``).
  ///
  /// A call that takes a whole response (``GraphQLRequest/isWhole``) is asked once. It is not asked
  /// again after `nil` or an error.
  ///
  /// - Parameters:
  ///   - call: The call, whose request the step may change for the steps behind it.
  ///   - rest: The steps behind this one.
  /// - Returns: The response for the step before this one.
  /// - Throws: The error of the call.
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>?
}

extension CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool { true }
}

/// The steps that a call still has to take.
struct CallSteps: Sendable {
  private let steps: [any CallStep]
  private let index: Int

  init(_ steps: [any CallStep]) { self.init(steps, 0) }

  private init(_ steps: [any CallStep], _ index: Int) {
    self.steps = steps
    self.index = index
  }

  /// Returns the next response of a call, or `nil` after the last one.
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    var index = index
    while !steps[index].takesPart(in: call) { index += 1 }
    return try await steps[index].next(of: call, from: CallSteps(steps, index + 1))
  }

  /// Returns the responses to a request. The call begins when the first one is awaited.
  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, _ context: CallContext
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      let call = Call(request, context)
      let behavior = request.fetchBehavior
      guard Operation.operationType == .subscription,
        behavior.cacheRead == .never || behavior == .cacheAndNetwork
      else { return { try await next(of: call) } }
      call.waiting = .beforeSteps
      return { try await nextEvent(of: call) }
    }
  }

  /// Returns the whole response to a request.
  ///
  /// - Throws: ``NoResponse`` if the call ends without one.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, _ context: CallContext
  ) async throws -> GraphQLResponse<Operation> {
    try await response(of: Call(request, context))
  }

  /// Returns the whole response of a call that has not begun.
  ///
  /// - Throws: ``NoResponse`` if the call ends without one.
  func response<Operation: GraphQLOperation>(
    of call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    call.request.isWhole = true
    guard let response = try await next(of: call) else { throw NoResponse() }
    return response
  }
}
