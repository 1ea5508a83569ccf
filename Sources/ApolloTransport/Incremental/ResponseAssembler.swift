package import ApolloAPI
package import Foundation

/// Makes response bodies of the bytes of a response in parts.
///
/// ```swift
/// var assembler = ResponseAssembler(
///   framing: .multipart(boundary: "-"), content: .response, maximumPartByteCount: 1 << 20)
/// assembler.append(chunk)
/// while let body = try assembler.next() { decode(body) }
/// ```
///
/// 1. The framing is undone.
/// 2. Of a subscription, each part is an event and becomes a body of its own, without its envelope.
///    Heartbeats are skipped.
/// 3. Of a query or a mutation, the parts are merged. Each body has all data so far, and is usually
///    delivered after each part. If many parts arrive at once, some of them share a body: decoding
///    everything after each of a thousand parts would cost five hundred times the whole.
/// 4. An error comes after the body with everything that arrived before.
package struct ResponseAssembler {
  /// The format that separates the parts.
  package enum Framing: Hashable, Sendable {
    /// `multipart/mixed`.
    case multipart(boundary: String)
    /// `text/event-stream`, as graphql-sse uses it with distinct connections.
    case eventStream
    /// Each call of ``append(_:)`` adds a part, as the messages of a WebSocket.
    case messages
  }

  /// The number of bytes of the bodies that are delivered part by part in any case.
  static let freeByteCount = 16 << 10

  private var framer: any PartFramer
  private let content: PartsContent
  private var merger = IncrementalMerger()
  private var failure: ResponseStreamError?
  /// The number of bytes of all bodies so far.
  private var deliveredByteCount = 0

  /// The number of heartbeats so far.
  package private(set) var heartbeatCount = 0

  /// Creates an assembler that has no bytes yet.
  package init(framing: Framing, content: PartsContent, maximumPartByteCount: Int) {
    self.content = content
    framer =
      switch framing {
      case .multipart(let boundary):
        MultipartFramer(boundary: boundary, maximumPartByteCount: maximumPartByteCount)
      case .eventStream: GraphQLEventFramer(maximumEventByteCount: maximumPartByteCount)
      case .messages: MessageFramer()
      }
  }

  /// `true` when there is nothing more to expect. The connection can be closed.
  package var hasEnded: Bool { failure == nil && framer.hasEnded }

  /// `true` when the last part of a response has been merged, whether or not its format has an end
  /// of its own that is still missing.
  package var isComplete: Bool { content == .response && failure == nil && merger.hasEnded }

  /// `true` if further parts of a response may follow.
  private var expectsMoreParts: Bool { content == .response && !merger.hasEnded }

  /// Returns a response with a body of this assembler, and notes whether its lists are whole.
  package func response(_ body: Data, http: HTTPDetails? = nil) -> NetworkResponse {
    var response = NetworkResponse(body: body, http: http)
    response.isPartial = expectsMoreParts
    response.lacksElements = merger.hasFailedList
    return response
  }

  /// Adds bytes that have arrived.
  package mutating func append(_ bytes: Data) { framer.append(bytes) }

  /// Returns the next response body, or `nil` if more bytes are needed or the response has ended.
  ///
  /// If more bytes have arrived already (`hasMoreBytes`), a body can wait for them.
  package mutating func next(hasMoreBytes: Bool = false) throws(ResponseStreamError) -> Data? {
    if let failure { throw failure }
    do {
      return try takeNext(hasMoreBytes: hasMoreBytes)
    } catch {
      let explained = explaining(error)
      failure = explained
      if merger.hasNews { return merger.body() }
      throw explained
    }
  }

  /// Ends the bytes.
  ///
  /// - Throws: ``ResponseStreamError`` if the response is not complete.
  package mutating func finish() throws(ResponseStreamError) {
    if let failure { throw failure }
    do {
      try framer.finish()
      if content == .response { try merger.finish() }
    } catch {
      throw explaining(error)
    }
  }

  /// Returns an error of a response with the errors that the server has sent before, which may be
  /// its cause.
  private func explaining(_ error: ResponseStreamError) -> ResponseStreamError {
    content == .response ? error.with(merger.errors) : error
  }

  /// Returns a whole response in parts, of which the last body counts.
  package static func wholeResponse(
    in bytes: Data, _ framing: Framing, http: HTTPDetails
  ) throws(ResponseStreamError) -> NetworkResponse {
    var assembler = ResponseAssembler(
      framing: framing, content: .response, maximumPartByteCount: .max)
    assembler.append(bytes)
    assembler.merger.reserve(byteCount: bytes.count)
    do {
      while try assembler.merger.mergeNextPart(of: &assembler.framer) {}
    } catch {
      throw assembler.explaining(error)
    }
    if !assembler.isComplete { try assembler.finish() }
    return assembler.response(assembler.merger.body(), http: http)
  }

  private mutating func takeNext(hasMoreBytes: Bool) throws(ResponseStreamError) -> Data? {
    if content == .events {
      while let part = try framer.next() {
        if let event = try event(in: part) { return event }
      }
      return nil
    }
    while try merger.mergeNextPart(of: &framer) {
      if merger.hasNews, mayDeliverEarly { return takeBody() }
    }
    let hasEnded = merger.hasEnded || framer.hasEnded
    guard merger.hasNews, !hasMoreBytes || mayDeliverEarly || hasEnded else { return nil }
    return takeBody()
  }

  /// `true` if a body may be delivered although more parts have arrived.
  private var mayDeliverEarly: Bool {
    deliveredByteCount <= Self.freeByteCount + merger.byteCount / 8
  }

  private mutating func takeBody() -> Data {
    let body = merger.body()
    deliveredByteCount += body.count
    return body
  }

  /// Returns the response in an event; `nil` for a heartbeat.
  private mutating func event(in part: Data) throws(ResponseStreamError) -> Data? {
    guard framer is MultipartFramer else { return part }
    let event = try SubscriptionEnvelope.read(part)
    failure = event.failure
    if event.payload == nil {
      if let failure { throw failure }
      heartbeatCount += 1
    }
    return event.payload
  }
}
