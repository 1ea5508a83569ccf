public import ApolloAPI
public import ApolloCache
public import ApolloTransport

/// An operation on its way through the client: what is asked for, and from where.
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  /// The operation with the values of its variables.
  public var operation: Operation

  /// When the cache is read and when the server is asked. An interceptor may change it before it asks again.
  public var fetchBehavior: FetchBehavior

  /// Time limit, headers, and whether the answer is written to the cache.
  public var configuration: RequestConfiguration

  /// Whom the write to the cache is attributed to.
  public let origin: ChangeOrigin?

  /// The files to upload with the operation.
  public let files: [GraphQLFile]

  /// Where the trace of what the response was read from is left for a watcher.
  let traces: TraceRecorder?

  init(
    _ operation: Operation, _ fetchBehavior: FetchBehavior, configuration: RequestConfiguration,
    origin: ChangeOrigin? = nil, files: [GraphQLFile] = [], traces: TraceRecorder? = nil
  ) {
    self.operation = operation
    self.fetchBehavior = fetchBehavior
    self.configuration = configuration
    self.origin = origin
    self.files = files
    self.traces = traces
  }
}
