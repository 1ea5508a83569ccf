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
  public var clientAwareness: ClientAwareness? {
    get { facts.clientAwareness }
    set { facts.clientAwareness = newValue }
  }

  /// Receives the progress of an upload; `nil` if there is none.
  public var uploadProgressHandler: UploadProgressHandler?

  /// The files that are sent with the operation.
  package var files: [GraphQLFile] = []

  /// The facts of the call, which an adapter passes on.
  package var shared = SharedFacts.none

  /// An operation to send as the transport sends all others, by default.
  public init(
    _ operation: any GraphQLOperation, additionalHeaders: [String: String] = [:],
    timeout: Duration? = nil
  ) {
    self.operation = operation
    self.additionalHeaders = additionalHeaders
    self.timeout = timeout
  }

  /// The facts of the call.
  // Inlined so that reading one fact copies that alone.
  @inline(__always)
  package var facts: CallFacts {
    get { shared.facts }
    set { shared = SharedFacts(newValue) }
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
