/// The reason that bytes are no request which this server serves. The connection ends after it.
package enum RequestProblem: Error, Hashable, Sendable {
  /// The bytes break a rule of HTTP/1.1.
  case malformed(String)
  case headTooLarge
  case bodyTooLarge
  /// A coding of the body other than `chunked`.
  case unsupportedCoding
  case unsupportedVersion

  /// The status of the response.
  package var status: Int {
    switch self {
    case .malformed: 400
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .unsupportedCoding: 501
    case .unsupportedVersion: 505
    }
  }

  /// The text of the response.
  package var message: String {
    switch self {
    case .malformed(let rule): "The request is malformed: \(rule)."
    case .headTooLarge: "The head of the request is too large."
    case .bodyTooLarge: "The body of the request is too large."
    case .unsupportedCoding: "The only transfer coding is 'chunked'."
    case .unsupportedVersion: "The only versions of HTTP are 1.0 and 1.1."
    }
  }
}
