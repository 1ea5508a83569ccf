public import Foundation

/// A request without a complete response.
///
/// A complete response that is not GraphQL is a ``GraphQLHTTPResponseError``. A request that was
/// cancelled fails with Swift's `CancellationError`.
///
/// ```swift
/// do {
///   _ = try await apollo.fetch(query: HeroNameQuery())
/// } catch let error as NetworkError
///   where [.offline, .hostNotFound, .cannotConnect].contains(error.code)
/// {
///   showOfflineBanner()
/// }
/// ```
public struct NetworkError: Error, Sendable {
  /// The kind of a failure. More codes can be added; keep a `default` when you switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, such as "timedOut".
    public let description: String

    /// The name of the host could not be resolved: it is wrong, or, on Linux, there may be no
    /// network.
    public static let hostNotFound = Code(description: "hostNotFound")
    /// No connection to the host could be made.
    public static let cannotConnect = Code(description: "cannotConnect")
    /// The device has no network. Only `URLSession` reports it. On Linux, the code is
    /// ``hostNotFound`` or ``cannotConnect``.
    public static let offline = Code(description: "offline")
    /// TLS failed: an untrusted or expired certificate, another name, no common version.
    public static let insecure = Code(description: "insecure")
    /// The proxy could not be reached, or it refused to connect to the host.
    public static let proxyFailed = Code(description: "proxyFailed")
    /// The connection stayed silent for longer than the idle timeout.
    public static let timedOut = Code(description: "timedOut")
    /// The call did not end within its deadline. The description says so if it waited for a
    /// connection then, because all connections to the host were in use.
    public static let deadlineExceeded = Code(description: "deadlineExceeded")
    /// The connection ended before the response was complete.
    public static let connectionLost = Code(description: "connectionLost")
    /// The head or the framing of the response breaks the rules of HTTP.
    public static let malformedResponse = Code(description: "malformedResponse")
    /// The response is larger than ``TransferLimits/maximumResponseByteCount``.
    public static let responseTooLarge = Code(description: "responseTooLarge")
    /// The response is a redirect that is not followed.
    public static let redirectRefused = Code(description: "redirectRefused")
    /// The bytes that came back are not HTTP.
    public static let notHTTP = Code(description: "notHTTP")
    /// All connections to the host are in use, so that a subscription waits for one of them.
    public static let connectionLimit = Code(description: "connectionLimit")
    /// A route of a subscription is not open within its time, so that another one is tried beside
    /// it.
    public static let routeNotOpened = Code(description: "routeNotOpened")
    /// The client was invalidated, so it sends nothing any more.
    public static let invalidated = Code(description: "invalidated")
  }

  /// The kind of the failure.
  public let code: Code

  /// The URL, without user, password, query and fragment; "the server" if the transport has none.
  public let url: String

  /// The code of the system's error, if the system reported one.
  public let urlErrorCode: URLError.Code?

  /// `true` if a part of the response had arrived. If not, the server may or may not have carried
  /// out the request.
  public let responseHadBegun: Bool

  /// Further knowledge, as a clause: "the response had begun". May be empty.
  package let detail: String

  /// `true` if a connection that had been kept open ended as the request was sent on it, without
  /// any response. Servers close idle connections at such moments, so that a request that may be
  /// repeated can be sent again.
  package let endedKeptConnection: Bool

  /// `true` if nothing of the request has left, so that the server cannot have carried it out.
  /// `false` if that is not known.
  package let hasSentNothing: Bool

  /// The number of connections for one of which a call waited at its deadline. 0 if it did not.
  private(set) var awaitedConnectionCount = 0

  package init(
    _ code: Code, url: URL?, detail: String = "", urlErrorCode: URLError.Code? = nil,
    responseHadBegun: Bool = false, endedKeptConnection: Bool = false,
    hasSentNothing: Bool = false
  ) {
    self.code = code
    // Those that precede every byte.
    let isOfConnecting = [.hostNotFound, .cannotConnect, .connectionLimit].contains(code)
    self.hasSentNothing = !responseHadBegun && (hasSentNothing || isOfConnecting)
    self.endedKeptConnection = endedKeptConnection
    self.responseHadBegun = responseHadBegun
    self.url = url?.textWithoutSecrets ?? "the server"
    self.detail = detail
    self.urlErrorCode = urlErrorCode
  }
}

// MARK: - Sentences

extension NetworkError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its remedy in a sentence each. Never contains a secret of the request.
  public var description: String {
    switch code {
    case .hostNotFound:
      "The host of \(url) was not found. Correct the URL, or check the network's name service."
    case .cannotConnect:
      "No connection to \(url) could be made\(because). Check that the server runs and that the URL's host and port are right."
    case .offline:
      "\(url) cannot be reached because there is no network connection. Try again when there is."
    case .insecure:
      "No secure connection to \(url) could be made\(because). Check the server's certificate, its name and its TLS versions."
    case .proxyFailed:
      "The proxy for \(url) made no connection\(because). Check the proxy's address and credentials, and the variables 'https_proxy', 'http_proxy' and 'no_proxy'."
    case .timedOut:
      "\(url) sent nothing for longer than the idle timeout\(of). Check the server and what is in front of it, or raise \(idleSetting)."
    case .deadlineExceeded:
      awaitedConnectionCount > 0
        ? "The call to \(url) did not end within \(detail), because it waited for a connection: \(Self.connectionsInUse(awaitedConnectionCount)). \(Self.connectionAdvice)"
        : "The call to \(url) did not end within \(detail). Check the server and what surrounds the call, or raise the deadline."
    case .connectionLost:
      "The connection to \(url) ended before the response was complete\(because). Try again, and check the server and what is in front of it."
    case .malformedResponse:
      "The response of \(url) breaks the rules of HTTP\(because). Check the server and what is in front of it."
    case .responseTooLarge:
      "The response of \(url) is larger than \(detail). Ask for less, or raise `maximumResponseByteCount`."
    case .redirectRefused:
      "\(url) responded with a redirect that is not followed: \(detail). Give the client the final URL."
    case .notHTTP:
      "\(url) responded with something that is not HTTP. Check the URL's scheme and port."
    case .connectionLimit:
      "The subscription to \(url) waits for a connection: \(detail). \(Self.connectionAdvice)"
    case .routeNotOpened:
      "The subscription to \(url) waits\(because). Other routes are tried beside it. Check the proxies in between, which may hold responses back until they end; see the article “Behind a proxy”."
    case .invalidated:
      "The client for \(url) was invalidated and cannot send any more. Make a new one."
    default:
      "The request to \(url) failed\(because). Try again."
    }
  }

  /// The state of connections, as a clause.
  static func connectionsInUse(_ count: Int) -> String {
    count == 1 ? "the only connection is in use" : "all \(count) connections are in use"
  }

  private static let connectionAdvice =
    "End other subscriptions, raise `maximumConnectionCountPerHost`, or use HTTP/2 or a WebSocket, which many subscriptions share."

  /// The same error. If it is that of a deadline, it says that the call waited for a connection.
  func whileWaiting(forOneOf connectionCount: Int) -> NetworkError {
    guard code == .deadlineExceeded else { return self }
    var error = self
    error.awaitedConnectionCount = connectionCount
    return error
  }

  private var because: String { detail.isEmpty ? "" : ": \(detail)" }

  private var of: String { detail.isEmpty ? "" : " of \(detail)" }

  /// The setting that limits silence, of the client that has reported it.
  private var idleSetting: String {
    urlErrorCode == nil ? "`idleTimeout`" : "`timeoutIntervalForRequest`"
  }
}

// MARK: - From the system's errors

extension NetworkError {
  /// The meaning of an error of `URLSession`.
  ///
  /// `hasHead` says whether the status line and headers had arrived. Then every failure but a
  /// timeout means that the connection was lost.
  ///
  /// `isRefused` says whether the client has cancelled a challenge of TLS. The system's error then
  /// only says that the task was cancelled.
  ///
  /// `age` is the time since the request was sent, and `keptConnectionTime` the longest one in
  /// which the connection may have ended before the server had the request.
  ///
  /// `sentByteCount` is the number of bytes of the request's body that have been sent. A mutation
  /// has a body, without which the server cannot carry it out.
  package init(
    _ error: any Error, url: URL, hasHead: Bool, isRefused: Bool = false,
    age: Duration = .seconds(60), keptConnectionTime: Duration = NetworkError.keptConnectionTime,
    sentByteCount: Int64? = nil
  ) {
    let systemCode = (error as? URLError)?.code
    let text = error.localizedDescription.trimmingCharacters(in: .whitespacesAndNewlines)
    let isRefused = isRefused && systemCode == .cancelled
    let code: Code =
      if isRefused {
        .insecure
      } else if hasHead, systemCode != .timedOut {
        .connectionLost
      } else {
        Code(systemCode, text: text, url: url)
      }
    let detail =
      switch code {
      case .insecure: isRefused ? "the client has cancelled the challenge" : text
      case .connectionLost: Self.progress(hasHead: hasHead)
      default: ""
      }
    self.init(
      code, url: url, detail: detail, urlErrorCode: systemCode, responseHadBegun: hasHead,
      endedKeptConnection: systemCode == .networkConnectionLost && !hasHead
        && age <= keptConnectionTime, hasSentNothing: sentByteCount == 0)
  }

  /// The longest time between the sending of a request and the end of its connection that the
  /// network may need to deliver both. After a longer time, the server has had the request.
  ///
  /// Tests make it longer, because a busy machine may let the end of a connection wait.
  @TaskLocal package static var keptConnectionTime = Duration.seconds(1)

  /// The progress of a response, as a clause.
  static func progress(hasHead: Bool) -> String {
    hasHead ? "the response had begun" : "no response had come"
  }
}

extension NetworkError: UnreadableResponse {
  package var isUnreadable: Bool { code == .responseTooLarge }
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
    // Linux: a response in HTTP/0.9, which is how text without a status line is read.
    case .unsupportedURL where Origin(url) != nil: self = .notHTTP
    // Linux has no code for TLS failures; the text is the TLS library's.
    case .unknown where Origin(url)?.scheme == "https" && text.contains("SSL"): self = .insecure
    default: self = .connectionLost
    }
  }
}
