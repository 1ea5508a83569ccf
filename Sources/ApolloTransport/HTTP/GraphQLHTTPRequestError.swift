public import Foundation

/// A request that was not sent, or not to its end, because it could not or should not be.
///
/// ```swift
/// do {
///   _ = try await apollo.fetch(query: HeroNameQuery())
/// } catch let error as GraphQLHTTPRequestError where error.code == .invalidHeader {
///   print("Correct the header", error.headerName ?? "")
/// }
/// ```
public struct GraphQLHTTPRequestError: Error, Hashable, Sendable {
  /// The kind of problem. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `invalidHeader`.
    public let description: String

    package init(description: String) { self.description = description }

    /// The delegate's `shouldSend` returned `false`.
    public static let cancelledByDelegate = Code(description: "cancelledByDelegate")
    /// The endpoint is not an `http` or `https` URL with a host, nor, for a WebSocket, a `ws` or
    /// `wss` URL with one.
    public static let unsupportedURL = Code(description: "unsupportedURL")
    /// The name or the value of a header has characters that HTTP does not allow.
    public static let invalidHeader = Code(description: "invalidHeader")
    /// The header belongs to the connection and is set by the client alone, such as `Host`.
    public static let reservedHeader = Code(description: "reservedHeader")
    /// Only the operation's identifier is to be sent, but it was generated without one.
    public static let missingOperationIdentifier = Code(description: "missingOperationIdentifier")
    /// Only identifiers of registered documents are sent, and the part of an operation that the
    /// cache does not have is no such document.
    public static let unregisteredPart = Code(description: "unregisteredPart")
    /// The files to upload do not fit the operation's variables.
    public static let uploadMismatch = Code(description: "uploadMismatch")
    /// A file to upload could not be read.
    public static let unreadableFile = Code(description: "unreadableFile")
    /// A file to upload changed while it was sent. The server has received a part of the request.
    public static let changedFile = Code(description: "changedFile")
    /// The server recognizes a mutation by a header, and a message over a WebSocket has none.
    public static let noPlaceForHeader = Code(description: "noPlaceForHeader")
  }

  /// The kind of problem.
  public let code: Code

  /// The endpoint without user, password, query and fragment, if its URL is the problem.
  public private(set) var url: String?

  /// The name of the header, if a header is the problem. Its value is kept out of the error.
  public private(set) var headerName: String?

  /// The name of the operation, if its document is the problem.
  public private(set) var operationName: String?

  /// The path to the variable of a file that does not fit, such as `input.avatar`.
  public private(set) var fieldName: String?

  /// The name of the file that could not be read or has changed.
  public private(set) var fileName: String?

  /// The reason as a clause, if there is more to say than the code does.
  public private(set) var reason: String?

  package init(_ code: Code) { self.code = code }
}

// MARK: - Each kind of problem

extension GraphQLHTTPRequestError {
  /// The delegate's `shouldSend` returned `false`.
  public static let cancelledByDelegate = GraphQLHTTPRequestError(.cancelledByDelegate)

  package static func unsupportedURL(_ url: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.unsupportedURL)
    error.url = url
    return error
  }

  package static func unsupportedWebSocketURL(_ url: String) -> GraphQLHTTPRequestError {
    var error = unsupportedURL(url)
    error.reason = "it is not a ws, wss, http or https URL with a host"
    return error
  }

  package static func invalidHeader(name: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.invalidHeader)
    error.headerName = name
    return error
  }

  package static func reservedHeader(name: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.reservedHeader)
    error.headerName = name
    return error
  }

  package static func missingOperationIdentifier(
    operationName: String
  ) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.missingOperationIdentifier)
    error.operationName = operationName
    return error
  }

  package static func unregisteredPart(operationName: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.unregisteredPart)
    error.operationName = operationName
    return error
  }

  package static func uploadMismatch(
    fieldName: String, reason: String
  ) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.uploadMismatch)
    error.fieldName = fieldName
    error.reason = reason
    return error
  }

  package static func unreadableFile(name: String, reason: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.unreadableFile)
    error.fileName = name
    error.reason = reason
    return error
  }

  package static func changedFile(name: String, reason: String) -> GraphQLHTTPRequestError {
    var error = GraphQLHTTPRequestError(.changedFile)
    error.fileName = name
    error.reason = reason
    return error
  }
}

// MARK: - Sentences

extension GraphQLHTTPRequestError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its solution in a sentence each.
  public var description: String {
    switch code {
    case .cancelledByDelegate:
      "The transport's delegate did not want the request to be sent."
    case .unsupportedURL where reason != nil:
      "The endpoint '\(url ?? "")' cannot be that of a WebSocket: \(reason ?? ""). Give the transport one that is."
    case .unsupportedURL:
      "The endpoint '\(url ?? "")' is not an http or https URL with a host. Give the client one that is."
    case .invalidHeader:
      "The header '\(printableHeaderName)' has characters that HTTP does not allow, such as line breaks or letters outside ASCII. Encode its value."
    case .reservedHeader:
      "The header '\(printableHeaderName)' belongs to the connection, and the HTTP client sets it. Don't set it in headers, interceptors or delegates."
    case .missingOperationIdentifier:
      "The operation '\(operationName ?? "")' has no identifier. Generate code with operation identifiers, or let the transport send the text."
    case .unregisteredPart:
      "The part of '\(operationName ?? "")' that the cache does not have cannot be sent by an identifier, because it is not a registered document. Don't let this call fetch missing fields alone, or let the transport send texts."
    case .uploadMismatch:
      "No file can be uploaded for '\(fieldName ?? "")': \(reason ?? ""). Name a variable that holds one placeholder for each file."
    case .unreadableFile:
      "The file '\(fileName ?? "")' could not be read: \(reason ?? "")"
    case .changedFile:
      "The file '\(fileName ?? "")' changed while it was sent: \(reason ?? ""). Upload a copy that nothing writes to."
    case .noPlaceForHeader:
      "The key of the mutation is in a header, which a message over a WebSocket does not have. Send the key in a variable, or mutations over HTTP."
    default:
      "The request was not sent: \(code). Correct it, then try again."
    }
  }

  private var printableHeaderName: String { HeaderField.printable(headerName ?? "") }
}
