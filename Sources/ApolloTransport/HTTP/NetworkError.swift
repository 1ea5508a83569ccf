public import Foundation

/// A request that got no complete answer.
///
/// An answer that came, but is not what a GraphQL server says, is a ``GraphQLHTTPResponseError``.
/// A request that was cancelled fails with Swift's `CancellationError`.
public struct NetworkError: Error, Sendable {
  /// What went wrong. More codes can be added; keep a `default` when you switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// What was found and what to do about it.
    public let description: String

    /// The name of the host could not be resolved.
    public static let hostNotFound = Code(description: "hostNotFound")
    /// No connection to the host could be made.
    public static let cannotConnect = Code(description: "cannotConnect")
    /// The device has no network.
    public static let offline = Code(description: "offline")
    /// TLS failed: an untrusted or expired certificate, another name, no common version.
    public static let insecure = Code(description: "insecure")
    /// The connection stayed silent for longer than the session's idle timeout.
    public static let timedOut = Code(description: "timedOut")
    /// The answer was not complete within ``TransferLimits/deadline``.
    public static let deadlineExceeded = Code(description: "deadlineExceeded")
    /// The connection ended before the answer did.
    public static let connectionLost = Code(description: "connectionLost")
    /// The answer is larger than ``TransferLimits/maximumResponseByteCount``.
    public static let responseTooLarge = Code(description: "responseTooLarge")
    /// The server answered with a redirect that is not followed.
    public static let redirectRefused = Code(description: "redirectRefused")
    /// What came back is not HTTP.
    public static let notHTTP = Code(description: "notHTTP")
    /// The session was invalidated, so it cannot send any more.
    public static let invalidated = Code(description: "invalidated")
  }

  /// What went wrong.
  public let code: Code

  /// The URL, without user, password, query and fragment.
  public let url: String

  /// The code of the system's error, if the system reported one.
  public let urlErrorCode: URLError.Code?

  /// Whether status and headers had arrived. If not, nobody knows how far the server has come.
  public let answerHadBegun: Bool

  /// What else is known, as a clause: "the answer had begun". May be empty.
  let detail: String

  package init(
    _ code: Code, url: URL, detail: String = "", urlErrorCode: URLError.Code? = nil,
    answerHadBegun: Bool = false
  ) {
    self.code = code
    self.answerHadBegun = answerHadBegun
    self.url = url.textWithoutSecrets
    self.detail = detail
    self.urlErrorCode = urlErrorCode
  }
}

// MARK: - Sentences

extension NetworkError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// What was found and what to do about it. Never contains a secret of the request.
  public var description: String {
    switch code {
    case .hostNotFound:
      "The host of \(url) was not found. Correct the URL, or check the network's name service."
    case .cannotConnect:
      "No connection to \(url) could be made. Check that the server runs and that the URL's host and port are right."
    case .offline:
      "\(url) cannot be reached because there is no network connection. Try again when there is."
    case .insecure:
      "No secure connection to \(url) could be made\(because). Check the server's certificate, its name and its TLS versions."
    case .timedOut:
      "\(url) sent nothing for longer than the idle timeout. Check the server, or raise `timeoutIntervalForRequest`."
    case .deadlineExceeded:
      "\(url) did not finish its answer within \(detail). Check the server, or raise the deadline."
    case .connectionLost:
      "The connection to \(url) ended before the answer was complete\(because). Try again, and check the server and what is in front of it."
    case .responseTooLarge:
      "The answer of \(url) is larger than \(detail). Ask for less, or raise `maximumResponseByteCount`."
    case .redirectRefused:
      "\(url) answered with a redirect that is not followed: \(detail). Give the client the final URL."
    case .notHTTP:
      "\(url) answered with something that is not HTTP. Check the URL's scheme and port."
    case .invalidated:
      "The session for \(url) was invalidated and cannot send any more. Make a new client."
    default:
      "The request to \(url) failed\(because). Try again."
    }
  }

  private var because: String { detail.isEmpty ? "" : ": \(detail)" }
}

// MARK: - From the system's errors

extension NetworkError {
  /// What an error of `URLSession` means.
  ///
  /// `hasHead` says whether the status line and headers had arrived. Then every failure but a timeout
  /// means that the connection was lost.
  init(_ error: any Error, url: URL, hasHead: Bool) {
    let systemCode = (error as? URLError)?.code
    let text = error.localizedDescription.trimmingCharacters(in: .whitespacesAndNewlines)
    let code =
      hasHead && systemCode != .timedOut
      ? .connectionLost : Code(systemCode, text: text, url: url)
    let detail =
      switch code {
      case .insecure: text
      case .connectionLost: hasHead ? "the answer had begun" : "no answer had come"
      default: ""
      }
    self.init(
      code, url: url, detail: detail, urlErrorCode: systemCode, answerHadBegun: hasHead)
  }
}

extension NetworkError.Code {
  fileprivate init(_ code: URLError.Code?, text: String, url: URL) {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
    case .cannotConnectToHost: self = .cannotConnect
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: self = .offline
    case .timedOut: self = .timedOut
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired,
      .appTransportSecurityRequiresSecureConnection:
      self = .insecure
    case .cannotParseResponse: self = .notHTTP
    // Linux: an answer in HTTP/0.9, which is what text without a status line looks like.
    case .unsupportedURL where Origin(url) != nil: self = .notHTTP
    // Linux has no code for TLS failures; the text is the TLS library's.
    case .unknown where Origin(url)?.scheme == "https" && text.contains("SSL"): self = .insecure
    default: self = .connectionLost
    }
  }
}
