public import ApolloAPI

/// One operation to send, and how.
public struct OperationRequest: Sendable {
  /// The operation with the values of its variables.
  public var operation: any GraphQLOperation

  /// Headers for this request alone. They win over those of the transport.
  public var additionalHeaders: [String: String]

  /// The longest time that the call may take; `nil` for the transport's own limit.
  ///
  /// It is also the longest silence of the connection, if it is longer than that of the transport.
  public var timeout: Duration?

  /// `true` to send a query by GET, `false` to send it by POST, `nil` for the transport's choice.
  /// Has no effect on mutations and subscriptions.
  public var usesGET: Bool?

  /// The treatment of failing fields that the server is asked for, or `nil` to send no `onError`.
  public var onError: ErrorBehavior?

  /// The name and the version of the program, or `nil` for those that the transport has.
  public var clientAwareness: ClientAwareness?

  /// Receives the progress of an upload; `nil` if there is none.
  public var uploadProgressHandler: UploadProgressHandler?

  /// The files that are sent with the operation.
  package var files: [GraphQLFile] = []

  /// A Boolean value that indicates whether the caller limits the time of the call. Otherwise the
  /// transport does.
  package var hasDeadline = false

  /// The deadline of a call whose caller leaves it to the requests to end in time. `nil` if the
  /// caller, or the transport, ends the call as a whole.
  package var deadline: CallDeadline?

  /// Receives the changes in the state of a subscription, on the task that awaits its responses.
  package var stateHandler: (@Sendable (SubscriptionState) -> Void)?

  /// Reports the steps of the call; `nil` if there is no observer.
  package var events: CallEventRecorder?

  /// The position in time at which the request is sent, or `nil` if it does not matter.
  package var sent: SentRequest?

  /// The session of the call, or `nil` if it belongs to none. A transport begins nothing for a call
  /// whose session has ended.
  package var session: CallSession?

  /// Receives the reaction of the server to a subscription, also when it is sent again. Called on
  /// any thread.
  package var openingHandler: (@Sendable (SubscriptionOpening) -> Void)?

  /// An operation to send as the transport sends all others, by default.
  public init(
    _ operation: any GraphQLOperation, additionalHeaders: [String: String] = [:],
    timeout: Duration? = nil
  ) {
    self.operation = operation
    self.additionalHeaders = additionalHeaders
    self.timeout = timeout
  }

  /// The same request with files.
  package func with(_ files: [GraphQLFile]) -> OperationRequest {
    var request = self
    request.files = files
    return request
  }

  /// A Boolean value that indicates whether nothing changes when the server gets it twice.
  package var isRepeatable: Bool { operationType == .query }

  /// The meaning of the parts in which the response may arrive; `nil` if it arrives as a whole.
  package var partsContent: PartsContent? { type(of: operation).partsContent }

  package var operationName: String { type(of: operation).operationName }

  var operationType: GraphQLOperationType { type(of: operation).operationType }
}
