public import ApolloAPI

/// One event of one call of a client: that it begins, reads the cache, sends a request, ends.
///
/// A ``CallEventObserver`` receives them. The description of an event is one line without secrets:
///
/// ```text
/// 7 query Hero +12.4 ms firstByte 200
/// ```
///
/// The events of a call, in their order:
///
/// | event | when |
/// | :-- | :-- |
/// | ``Kind/began`` | once, first |
/// | ``Kind/cacheRead(_:duration:)`` | after each reading of the cache |
/// | ``Kind/requestBuilt(_:)`` | after an HTTP request is made; persisted queries make up to two |
/// | ``Kind/retried(after:)`` | before the second and each further attempt |
/// | ``Kind/joined`` | if the call shares the request of another call and sends none |
/// | ``Kind/sent`` | when the client takes the request; ``attempt`` counts these |
/// | ``Kind/uploaded(_:)`` | while the body of an upload is sent, up to a hundred times |
/// | ``Kind/firstByte(_:)`` | when the head of the response has arrived |
/// | ``Kind/received(byteCount:)`` | when the body, or a part of it, is complete |
/// | ``Kind/decoded(errorCount:duration:)`` | after the body is decoded and normalized |
/// | ``Kind/cacheWritten(duration:)`` | after the response is written to the cache |
/// | ``Kind/unknownLists(_:)`` | if directives such as `@appendNode` name lists that the cache lacks |
/// | ``Kind/delivered(_:)`` | before each response is given to the caller |
/// | ``Kind/completed``, ``Kind/failed(_:)``, ``Kind/cancelled`` | exactly one of them, last |
///
/// A call that only reads the cache has no events of the network; one over a WebSocket has none of
/// HTTP.
public struct CallEvent: Sendable {
  /// The call of an event.
  public struct Call: Sendable, Identifiable {
    /// A number that no other call of the process has.
    public let id: UInt64
    /// The name of the operation.
    public var operationName: String { operation.reveal().name }
    /// The kind of the operation.
    public var operationType: GraphQLOperationType { operation.reveal().type }
    /// The variables of the operation. Their values are secrets.
    public var variables: [(name: String, value: Secret<JSONValue>)] {
      operation.reveal().variables?.fields.map { ($0.name, Secret($0.value)) } ?? []
    }
    /// The context that the call's requests carry, if an observer has supplied one.
    public package(set) var traceContext: TraceContext?

    private struct Operation: Sendable {
      var name: String
      var type: GraphQLOperationType
      var variables: Variables?
    }

    private let operation: Secret<Operation>

    init<Named: GraphQLOperation>(id: UInt64, _ operation: Named) {
      self.id = id
      self.operation = Secret(
        Operation(
          name: Named.operationName, type: Named.operationType, variables: operation.__variables))
    }
  }

  /// The kind of event. Later versions can add kinds, so a `switch` needs a `default`.
  public enum Kind: Sendable {
    /// The call begins.
    case began
    /// The cache was read.
    case cacheRead(CacheReadOutcome, duration: Duration)
    /// An HTTP request was made, before interceptors and delegates change it.
    case requestBuilt(RequestSummary)
    /// The operation is sent again, after an error if it is known.
    case retried(after: (any Error)?)
    /// An equal query is under way, whose response this call receives as well.
    case joined
    /// The HTTP client takes the request.
    case sent
    /// A part of the body of an upload has been sent.
    case uploaded(UploadProgress)
    /// The head of the response has arrived.
    case firstByte(ResponseSummary)
    /// So many bytes of the body have arrived, after decompression.
    case received(byteCount: Int)
    /// The body was decoded, and normalized for the cache.
    case decoded(errorCount: Int, duration: Duration)
    /// The response was written to the cache.
    case cacheWritten(duration: Duration)
    /// Directives such as `@appendNode` have named lists that are not in the cache, and changed
    /// nothing there.
    case unknownLists([UnknownList])
    /// A response is given to the caller.
    case delivered(ResultSource)
    /// The call has ended, after its last response.
    case completed
    /// The call has ended with an error.
    case failed(any Error)
    /// The call has ended because its task was cancelled, or its responses were released.
    case cancelled

    /// `true` for the last event of a call.
    public var isTerminal: Bool {
      switch self {
      case .completed, .failed, .cancelled: true
      default: false
      }
    }
  }

  /// The data that a reading of the cache has found.
  public enum CacheReadOutcome: String, Hashable, Sendable {
    /// All of the data.
    case hit
    /// Not all of the data.
    case miss
    /// The cache cannot be read.
    case failure
  }

  /// The call.
  public let call: Call
  /// The kind of event.
  public let kind: Kind
  /// The time since the call began.
  public let time: Duration
  /// The number of requests that were sent for the call so far.
  public let attempt: Int

  package init(call: Call, kind: Kind, time: Duration, attempt: Int) {
    self.call = call
    self.kind = kind
    self.time = time
    self.attempt = attempt
  }
}
