public import ApolloAPI
public import Foundation

/// A response in parts that broke off, or that breaks the rules of its format.
///
/// Everything that arrived before has been delivered and stays valid.
///
/// ```swift
/// do {
///   for try await response in responses { show(response.data) }
/// } catch let error as ResponseStreamError where error.kind == .truncated {
///   showRetryButton()
/// }
/// ```
public struct ResponseStreamError: Error, Hashable, Sendable {
  /// The kind of a failure. More kinds can be added; keep a `default` when you switch.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, such as "truncated".
    public let description: String

    /// The response ended before its last part.
    public static let truncated = Kind(description: "truncated")
    /// The parts cannot be told apart, or a part has invalid headers.
    public static let malformedFraming = Kind(description: "malformedFraming")
    /// A part has another media type than JSON in UTF-8.
    public static let unexpectedPartType = Kind(description: "unexpectedPartType")
    /// A part is larger than ``TransferLimits/maximumResponseByteCount``.
    public static let partTooLarge = Kind(description: "partTooLarge")
    /// A part is not JSON, or not of the form that its format requires.
    public static let malformedPart = Kind(description: "malformedPart")
    /// A part does not fit the data that arrived before.
    public static let unexpectedPart = Kind(description: "unexpectedPart")
    /// The server ended a subscription with errors.
    public static let endedByServer = Kind(description: "endedByServer")
  }

  /// The kind of the failure.
  public let kind: Kind

  /// The errors with which the server ended a subscription, or those that it had sent with the
  /// parts of a response that broke off.
  public let graphQLErrors: [GraphQLError]

  /// The finding, as a clause.
  let detail: String

  package init(_ kind: Kind, _ detail: String, graphQLErrors: [GraphQLError] = []) {
    self.kind = kind
    self.detail = detail.shortened
    self.graphQLErrors = graphQLErrors
  }
}

extension ResponseStreamError: UnreadableResponse {
  package var isUnreadable: Bool { kind != .truncated && kind != .endedByServer }
}

extension ResponseStreamError {
  /// Returns the error with the errors that the server has sent.
  func with(_ graphQLErrors: [GraphQLError]) -> ResponseStreamError {
    ResponseStreamError(kind, detail, graphQLErrors: graphQLErrors)
  }

  /// Returns the error with the silence before the end of the body, if that may be its cause.
  func after(silence: Duration) -> ResponseStreamError {
    guard kind == .truncated, silence >= .seconds(5) else { return self }
    return ResponseStreamError(
      kind,
      "\(detail), and nothing was received for \(silence.components.seconds) seconds, after which a proxy may end a response",
      graphQLErrors: graphQLErrors)
  }
}

// MARK: - Sentences

extension ResponseStreamError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its remedy.
  public var description: String {
    guard kind != .endedByServer, !graphQLErrors.isEmpty else { return finding }
    return "\(finding) The server reported \(messages)."
  }

  private var finding: String {
    switch kind {
    case .truncated:
      "The response in parts ended early: \(detail). Try again, and check the server and what is in front of it."
    case .malformedFraming:
      "The parts of the response cannot be told apart: \(detail). Check the server and what is in front of it."
    case .unexpectedPartType:
      "A part of the response has \(detail) instead of JSON. Check the server."
    case .partTooLarge:
      "A part of the response is larger than \(detail). Ask for less, or raise `maximumResponseByteCount`."
    case .endedByServer:
      "The server ended the subscription: \(messages). Subscribe again, unless the errors rule that out."
    default:
      "A part of the response cannot be used: \(detail). Check which format of incremental delivery the server has."
    }
  }

  private var messages: String {
    if graphQLErrors.isEmpty { return detail }
    return graphQLErrors.prefix(3).map { "“\($0.message.shortened)”" }.joined(separator: ", ")
  }
}
