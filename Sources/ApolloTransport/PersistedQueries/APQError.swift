public import Foundation

/// A failure of automatic persisted queries.
public struct APQError: Error, Hashable, Sendable {
  /// The kind of failure. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `persistedQueryRetryFailed`.
    public let description: String

    package init(description: String) { self.description = description }

    /// The server received the document, and reports again that it does not know it.
    public static let persistedQueryRetryFailed = Code(description: "persistedQueryRetryFailed")
  }

  /// The kind of failure.
  public let code: Code

  /// The name of the operation.
  public let operationName: String

  package init(_ code: Code, operationName: String) {
    self.code = code
    self.operationName = operationName
  }
}

// MARK: - Sentences

extension APQError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its solution in a sentence each.
  public var description: String {
    switch code {
    case .persistedQueryRetryFailed:
      "The server does not remember the document of '\(operationName)' although it was sent. Check the server's persisted queries, or turn automatic persisted queries off."
    default:
      "The persisted query '\(operationName)' failed: \(code). Turn automatic persisted queries off."
    }
  }
}
