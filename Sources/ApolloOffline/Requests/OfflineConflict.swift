public import ApolloAPI

/// A mutation that the server has rejected, as its handler sees it.
public struct OfflineConflict<Mutation: GraphQLMutation>: Sendable {
  /// The values of the variables, with real identifiers in place of temporary ones.
  public let variables: Variables
  /// The reason.
  public let failure: OfflineFailure
  /// The server's response, if there was one since the start of the program.
  public let response: GraphQLResponse<Mutation>?
  /// The error of the call, if there was one since the start of the program.
  public let error: (any Error)?
  /// `true` if an earlier request with these variables may have been performed, such as one without
  /// a response. A changed mutation is another one for the server: it performs both.
  public let mayHaveBeenPerformed: Bool
  /// The number of requests that were begun.
  public let attemptCount: Int
}

/// The decision of a handler about a rejected mutation.
public enum OfflineDecision<Mutation: GraphQLMutation>: Sendable {
  /// Sends it again. With a new key if it has one, unless it may have been performed
  /// (``OfflineConflict/mayHaveBeenPerformed``): then its key stays.
  case retry
  /// Sends another mutation of the same type in its place, with other expected data.
  case change(Mutation, optimistic: Mutation.Data? = nil)
  /// Drops it. The lane goes on.
  case skip
  /// Stops the lane until the program decides.
  case stop
}

/// The decision without the type of the mutation.
enum ErasedDecision: Sendable {
  case retry
  case change(variables: JSONValue, optimistic: JSONValue?)
  case skip
  case stop
}

extension OfflineDecision {
  var erased: ErasedDecision {
    switch self {
    case .retry: .retry
    case .change(let mutation, let data):
      .change(
        variables: mutation.__variables?.jsonValue ?? .object([:]), optimistic: data?.jsonValue)
    case .skip: .skip
    case .stop: .stop
    }
  }
}
