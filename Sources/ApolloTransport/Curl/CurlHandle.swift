#if CURL
  import CurlShim
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// An option that libcurl refused.
  struct CurlSetupError: Error {
    var option: String
    var code: CURLcode
  }

  /// One of libcurl's easy handles with the memory that it refers to.
  ///
  /// The options that all requests of a client share are set once; ``prepare(_:url:)`` sets the
  /// others. A handle is used by one thread at a time: the one that prepares it, then the one
  /// that takes a turn of the event loop.
  // `@unchecked Sendable` because a handle is passed from one owner to the next through a lock.
  final class CurlHandle: @unchecked Sendable {
    let easy: UnsafeMutableRawPointer
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var headers: HeaderLines?
    private let configuration: CurlClient.Configuration

    /// The size of the pieces in which a streamed body is sent. Each takes two calls of the system
    /// and a turn of the event loop.
    private static let uploadBufferByteCount = 256 << 10

    private static let canReusePlainHTTP2 = curlshim_can_reuse_plain_http2(curlshim_version())

    init(_ configuration: CurlClient.Configuration) throws(CurlSetupError) {
      guard let easy = curl_easy_init() else {
        throw CurlSetupError(option: "handle", code: CURLE_OUT_OF_MEMORY)
      }
      self.easy = easy
      self.configuration = configuration
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      try check("defaults", curlshim_set_safe_defaults(easy))
      try check("error buffer", curlshim_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
      try set(CURLOPT_BUFFERSIZE, 32 << 10)
      try set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.clampedMilliseconds)
      try set(CURLOPT_USERAGENT, configuration.userAgent)
      try check("proxy separation", curlshim_set_proxy_separation(easy))
      // Or libcurl would read the environment by rules of its own.
      try set(CURLOPT_NOPROXY, "")
      try set(configuration.tls)
    }

    deinit {
      curl_easy_cleanup(easy)
      errorText.deallocate()
    }

    /// True if the request goes through a proxy.
    private(set) var isProxied = false
    private var notesStreams = false

    /// libcurl's own words about the last failure.
    var message: String { String(cString: errorText) }

    /// Forgets the words about an earlier failure.
    func clearMessage() { errorText.pointee = 0 }

    // MARK: Options

    private func set(_ tls: CurlClient.TLS) throws(CurlSetupError) {
      switch tls.minimumVersion {
      case .tls12: try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
      case .tls13: try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_3)
      }
      if case .pem(let text) = tls.authorities {
        let code = text.withUnsafeBytes { bytes in
          curlshim_set_authorities(
            easy, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        try check("authorities", code)
      }
      if !tls.pinnedPublicKeyHashes.isEmpty {
        let pins = tls.pinnedPublicKeyHashes.map { "sha256//\($0)" }.joined(separator: ";")
        try set(CURLOPT_PINNEDPUBLICKEY, pins)
      }
      if let identity = tls.clientCertificate {
        let certificate = identity.certificate.map { CChar(bitPattern: $0) }
        let key = identity.privateKey.map { CChar(bitPattern: $0) }
        try check(
          "client certificate",
          curlshim_set_client_certificate(
            easy, certificate, certificate.count, key, key.count, identity.password))
      }
    }

    /// Sets what belongs to one request. The head's and the body's sinks get `context`.
    func prepare(
      _ request: URLRequest, url: URL, origin: Origin, body: CurlBody, headers: HeaderLines,
      context: UnsafeMutableRawPointer, callbacks: CurlCallbacks
    ) throws(CurlSetupError) {
      try setTarget(url)
      if curlshim_has_gate() { try set(CURLOPT_FRESH_CONNECT, 0) }
      if !Self.canReusePlainHTTP2, configuration.version == .http2PriorKnowledge,
        origin.scheme == "http"
      {
        // Handles of that libcurl have one transfer, so no other request needs the defaults.
        try set(CURLOPT_FRESH_CONNECT, 1)
        try set(CURLOPT_FORBID_REUSE, 1)
      }
      try set(CURLOPT_HTTP_VERSION, configuration.version.option(for: origin))
      try set(CURLOPT_PIPEWAIT, waitsForVersion(of: origin) ? 1 : 0)
      try setMethod(request.httpMethod ?? "GET", body: body)
      try check(
        "callbacks",
        curlshim_set_callbacks(
          easy, context, callbacks.head, callbacks.body, body.isStreamed ? callbacks.source : nil,
          callbacks.rewind, callbacks.gate, callbacks.stream))
      try check("headers", curlshim_set_pointer(easy, CURLOPT_HTTPHEADER, headers.list))
      self.headers = headers
    }

    /// Lets a prepared request use no connection that was kept open.
    func useNewConnection() throws(CurlSetupError) { try set(CURLOPT_FRESH_CONNECT, 1) }

    /// Prepares the handle to connect to a URL's host and to send nothing.
    ///
    /// HTTP/2 is not agreed on, and a proxy is asked to connect to the host.
    func prepareConnection(to url: URL) throws(CurlSetupError) {
      try setTarget(url)
      try set(CURLOPT_CONNECT_ONLY, 1)
      try set(CURLOPT_FRESH_CONNECT, 1)
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      try set(CURLOPT_SSL_ENABLE_ALPN, 0)
      try set(CURLOPT_HTTPPROXYTUNNEL, 1)
      // A proxy's response is not printed, which is what libcurl does without sinks.
      try check(
        "callbacks",
        curlshim_set_callbacks(
          easy, nil, { _, size, count, _ in size * count }, { _, size, count, _ in size * count },
          nil, nil, { _, _, _, _, _ in Int32(CURLSHIM_PROCEED) }, nil))
    }

    /// Lets the transfer know the events of its stream of HTTP/2.
    func noteStreams(_ isOn: Bool) throws(CurlSetupError) {
      if notesStreams == isOn { return }
      try set(CURLOPT_VERBOSE, isOn ? 1 : 0)
      notesStreams = isOn
    }

    private func setTarget(_ url: URL) throws(CurlSetupError) {
      errorText.pointee = 0
      try set(CURLOPT_URL, url.absoluteString)
      let proxy = configuration.proxy.address(for: url)
      isProxied = proxy != nil
      try set(CURLOPT_PROXY, proxy ?? "")
    }

    private func setMethod(_ method: String, body: CurlBody) throws(CurlSetupError) {
      try set(CURLOPT_NOBODY, 0)
      try check("method", curlshim_set_string(easy, CURLOPT_CUSTOMREQUEST, nil))
      guard method == "POST" || body.byteCount > 0 else {
        try set(CURLOPT_HTTPGET, 1)
        if method == "HEAD" {
          try set(CURLOPT_NOBODY, 1)
        } else if method != "GET" {
          try set(CURLOPT_CUSTOMREQUEST, method)
        }
        return
      }
      try set(CURLOPT_POST, 1)
      if method != "POST" { try set(CURLOPT_CUSTOMREQUEST, method) }
      try check("body", curlshim_set_pointer(easy, CURLOPT_POSTFIELDS, nil))
      try check(
        "body", curlshim_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.byteCount)))
      switch body {
      case .copied(let data):
        let code = data.withUnsafeBytes { bytes in
          curlshim_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? .init(errorText))
        }
        try check("body", code)
      case .streamed: try set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferByteCount)
      }
    }

    /// Returns `true` if requests wait until the first connection to their host has agreed on
    /// HTTP/2, to share it.
    ///
    /// Without TLS, only the first response shows the version, and the others would wait for it.
    private func waitsForVersion(of origin: Origin) -> Bool {
      switch configuration.version {
      case .automatic: origin.scheme == "https"
      case .http1: false
      case .http2PriorKnowledge: true
      }
    }

    /// Returns `true` if the request may use a connection together with others, or one that is not
    /// to its origin.
    func mayShareConnection(to origin: Origin) -> Bool {
      if isProxied { return true }
      return switch configuration.version {
      case .automatic: origin.scheme == "https"
      case .http1: false
      case .http2PriorKnowledge: true
      }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(CurlSetupError) {
      try check("option \(option.rawValue)", curlshim_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(CurlSetupError) {
      try check("option \(option.rawValue)", curlshim_set_string(easy, option, value))
    }

    private func check(
      _ option: @autoclosure () -> String, _ code: CURLcode
    ) throws(CurlSetupError) {
      if code != CURLE_OK { throw CurlSetupError(option: option(), code: code) }
    }
  }

  /// The functions that libcurl calls for a transfer, in a turn of the event loop.
  struct CurlCallbacks {
    var head: curlshim_sink
    var body: curlshim_sink
    var source: curlshim_source
    var rewind: curlshim_rewind
    var gate: curlshim_gate
    var stream: curlshim_stream
  }

  extension CurlClient.Proxy {
    /// The address of the proxy for a URL, or `nil` for a direct connection.
    fileprivate func address(for url: URL) -> String? {
      switch self {
      case .environment: ProxyEnvironment().proxy(for: url)
      case .none: nil
      case .url(let proxy): proxy.absoluteString
      }
    }
  }

  extension CurlClient.Version {
    /// libcurl's option for requests to an origin.
    ///
    /// Without TLS, `CURL_HTTP_VERSION_2TLS` sends HTTP/1.1 too. But then a status line that only
    /// claims to be of HTTP/2 would let later requests share connections that are in use.
    fileprivate func option(for origin: Origin) -> Int {
      switch self {
      case .automatic:
        origin.scheme == "https" ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
      case .http1: CURL_HTTP_VERSION_1_1
      case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      }
    }
  }

  extension Duration {
    /// Whole milliseconds, from 1 to about 24 days.
    fileprivate var clampedMilliseconds: Int {
      let seconds = min(max(components.seconds, 0), 2_000_000)
      return max(1, Int(seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
  }
#endif
