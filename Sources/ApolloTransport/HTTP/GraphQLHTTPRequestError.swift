public import Foundation

/// A request that was not sent, because it could not or should not be.
public enum GraphQLHTTPRequestError: Error, Hashable, Sendable {
  /// The delegate's `shouldSend` said no.
  case cancelledByDelegate
  /// The endpoint is not an `http` or `https` URL with a host.
  case unsupportedURL(String)
  /// A header's name or value has characters that may not be sent. The value is kept out of the
  /// text.
  case invalidHeader(name: String)
  /// Only the operation's identifier is to be sent, but it was generated without one.
  case missingOperationIdentifier(operationName: String)
  /// The files to upload do not fit the operation's variables.
  case uploadMismatch(fieldName: String, reason: String)
  /// A file to upload could not be read.
  case unreadableFile(name: String, reason: String)
}

extension GraphQLHTTPRequestError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its remedy.
  public var description: String {
    switch self {
    case .cancelledByDelegate:
      "The transport's delegate did not want the request to be sent."
    case .unsupportedURL(let url):
      "The endpoint '\(url)' is not an http or https URL with a host. Give the client one that is."
    case .invalidHeader(let name):
      "The header '\(HeaderField.printable(name))' has characters that HTTP does not allow, such as line breaks or letters outside ASCII. Encode its value."
    case .missingOperationIdentifier(let name):
      "The operation '\(name)' has no identifier. Generate code with operation identifiers, or let the transport send the text."
    case .uploadMismatch(let fieldName, let reason):
      "No file can be uploaded for '\(fieldName)': \(reason). Name a variable that holds one placeholder for each file."
    case .unreadableFile(let name, let reason):
      "The file '\(name)' could not be read: \(reason)"
    }
  }
}
