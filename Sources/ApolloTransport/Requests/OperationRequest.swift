public import ApolloAPI

/// One operation to send, and how.
public struct OperationRequest: Sendable {
  /// The operation with the values of its variables.
  public var operation: any GraphQLOperation

  /// Headers for this request alone. They win over those of the transport.
  public var additionalHeaders: [String: String]

  /// The longest time from sending to the end of the response; `nil` for the transport's own limit.
  public var timeout: Duration?

  /// An operation to send as the transport sends all others, by default.
  public init(
    _ operation: any GraphQLOperation, additionalHeaders: [String: String] = [:],
    timeout: Duration? = nil
  ) {
    self.operation = operation
    self.additionalHeaders = additionalHeaders
    self.timeout = timeout
  }

  /// A Boolean value that indicates whether nothing changes when the server gets it twice.
  package var isRepeatable: Bool { operationType == .query }

  package var operationName: String { type(of: operation).operationName }

  var operationType: GraphQLOperationType { type(of: operation).operationType }
}
