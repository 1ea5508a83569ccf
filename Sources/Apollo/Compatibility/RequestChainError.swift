public import Foundation

/// A mistake in a chain of interceptors.
public struct RequestChainError: Error, Hashable, Sendable {
  /// The kind of mistake. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `noResult`.
    public let description: String

    package init(description: String) { self.description = description }

    /// The chain ended, but none of its steps has parsed a response.
    public static let noResult = Code(description: "noResult")
    /// A step released the completion without calling it.
    public static let noCompletion = Code(description: "noCompletion")
  }

  /// The kind of mistake.
  public let code: Code

  /// The name of the operation.
  public let operationName: String

  init(_ code: Code, operationName: String) {
    self.code = code
    self.operationName = operationName
  }
}

// MARK: - Sentences

extension RequestChainError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The mistake and its correction in a sentence each.
  public var description: String {
    switch code {
    case .noResult:
      "The interceptors of '\(operationName)' ended without a parsed response. Add a JSONResponseParsingInterceptor behind the step that fetches."
    case .noCompletion:
      "An interceptor of '\(operationName)' neither proceeded nor called its completion. Call one method of the chain in each branch."
    default:
      "The interceptors of '\(operationName)' failed: \(code). Correct them."
    }
  }
}
