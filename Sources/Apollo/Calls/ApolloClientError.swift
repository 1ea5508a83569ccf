public import Foundation

/// A call that the client cannot make, or complete, with the transport that it has.
///
/// ```swift
/// do {
///   _ = try await apollo.upload(operation: mutation, files: [photo])
/// } catch let error as ApolloClientError where error.code == .noUploadTransport {
///   print(error)
/// }
/// ```
public struct ApolloClientError: Error, Hashable, Sendable {
  /// The kind of problem. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `noUploadTransport`.
    public let description: String

    package init(description: String) { self.description = description }

    /// The call has files, but the client's transport cannot upload files.
    public static let noUploadTransport = Code(description: "noUploadTransport")
    /// The operation is a subscription, but the client's transport cannot send subscriptions.
    public static let noSubscriptionTransport = Code(description: "noSubscriptionTransport")
    /// The client's transport, or an interceptor, ended a call without a response and without an
    /// error.
    public static let noResponse = Code(description: "noResponse")
  }

  /// The kind of problem.
  public let code: Code

  /// The name of the operation.
  public let operationName: String

  /// The name of the client's transport type, or of a mock's type.
  public let transportName: String

  package init(_ code: Code, operationName: String, transport: any AnyObject) {
    self.code = code
    self.operationName = operationName
    transportName = "\(type(of: transport))"
  }
}

// MARK: - Sentences

extension ApolloClientError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A sentence with the problem and its solution.
  public var description: String {
    switch code {
    case .noUploadTransport:
      "\(transportName) cannot upload the files of '\(operationName)'. Use a transport that conforms to UploadingNetworkTransport, such as HTTPNetworkTransport."
    case .noSubscriptionTransport:
      "\(transportName) cannot send the subscription '\(operationName)'. Use a transport that conforms to SubscriptionNetworkTransport, such as WebSocketTransport, alone or in a SplitNetworkTransport."
    case .noResponse:
      "\(transportName) delivered neither a response to '\(operationName)' nor an error. Check the transport and the interceptors, one of which returned an empty sequence."
    default:
      "\(transportName) cannot send '\(operationName)': \(code). Use another transport."
    }
  }
}
