public import ApolloCache
public import ApolloTransport

/// The options of one call.
///
/// ```swift
/// let response = try await apollo.fetch(
///   query: SearchQuery(text: "Leia"),
///   requestConfiguration: RequestConfiguration(
///     requestTimeout: .seconds(5), additionalHeaders: ["X-Trace": "7"]))
/// ```
public struct RequestConfiguration: Hashable, Sendable {
  /// The longest time from the call to the end of the response, with all interceptors, retries and
  /// redirects, and the time until a connection is free.
  ///
  /// `nil` for the transport's own limit. A longer time than the connection may be silent extends
  /// that as well. A subscription is not limited.
  public var requestTimeout: Duration?

  /// `true` to write the server's response to the cache.
  public var writeResultsToCache: Bool

  /// The headers of this call, in addition to the transport's.
  public var additionalHeaders: [String: String]

  /// `true` to send a query by GET, `false` to send it by POST, `nil` for the transport's choice.
  /// Has no effect on mutations and subscriptions.
  public var usesGET: Bool?

  /// The treatment of failing fields that the server is asked for, or `nil` to leave it to the
  /// server: then the request has no parameter `onError`.
  ///
  /// For all calls of a client, set it in the client's `defaultRequestConfiguration`.
  public var onError: ErrorBehavior?

  /// `true` to read a field that failed on the server as `null` from the cache, with its error in
  /// the response. Otherwise it counts as missing, and the query is sent.
  public var servesCachedErrors = false

  /// `true` to take what the cache has of a query if it lacks some of the data: properties that can
  /// be `nil` are, and `GraphQLResponse.missing` has their paths.
  ///
  /// A call with several responses, and a watch, delivers such data first and sends the query for
  /// the rest, unless the policy forbids that. A call with one response sends the query at once,
  /// and takes partial data only where its policy never sends it, or reads the cache after the
  /// server has failed. Where the schema allows no `nil`, the object around it is missing.
  public var returnPartialData = false

  /// `true` to send only the part of a query that the cache does not have, and to take the rest
  /// from there. By default, the query is sent as a whole.
  ///
  /// It applies to `.cacheFirst`, and to the first fetch of a watch with that policy. If the cache
  /// still does not have everything, because a list has changed meanwhile for example, the query is
  /// sent as a whole.
  ///
  /// If the server can find objects by their identifiers, as with `node(id:)`, it does so. See
  /// ``fetchesMissingFieldsFromRoot``.
  ///
  /// A part of a query is no registered document. Where only identifiers of these are sent, a call
  /// that lacks data fails with a `GraphQLHTTPRequestError`.
  public var fetchesMissingFields = false

  /// `true` to send the missing part of a query from its root also if the server can find the
  /// objects that lack something by their identifiers, as with `node(id:)`.
  ///
  /// For servers that resolve such a field in another way than the fields of the query, or allow it
  /// to others. Has an effect with ``fetchesMissingFields``.
  public var fetchesMissingFieldsFromRoot = false

  /// The treatment of cached fields that have exceeded their maximum age, or `nil` for the cache
  /// policy's: `.permissive` for `.revalidateCache` if the call can have several responses, and
  /// `.strict` otherwise.
  ///
  /// Without maximum ages it has no effect. See `CacheFreshness`.
  public var ttlEnforcement: TTLEnforcement?

  /// The largest age of cached fields for this call, or `nil` for no limit of its own. An older
  /// field counts as stale, and so does one whose age is not known.
  ///
  /// Has an effect if the store tracks ages: `CacheFreshness.isTracked`.
  public var maxAge: Duration?

  /// The time after its expiry for which a cached field does not count as stale in this call.
  public var maxStale = Duration.zero

  /// Receives the progress of the call if it uploads files.
  public var uploadProgressHandler: UploadProgressHandler?

  /// Indicates whether pages of merged lists are read alone. A pager adds the others.
  package var readsPagesAlone = false

  /// Creates a configuration. The defaults are those of a call without one.
  public init(
    requestTimeout: Duration? = nil, writeResultsToCache: Bool = true,
    additionalHeaders: [String: String] = [:], usesGET: Bool? = nil
  ) {
    self.requestTimeout = requestTimeout
    self.writeResultsToCache = writeResultsToCache
    self.additionalHeaders = additionalHeaders
    self.usesGET = usesGET
  }
}
