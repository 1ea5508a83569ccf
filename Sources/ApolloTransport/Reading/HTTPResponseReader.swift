package import ApolloAPI
package import Foundation

/// Reads the responses in the body of an HTTP response: the only one, or those of its parts.
///
/// 1. A response in parts is read chunk by chunk. Any other one is read as a whole.
/// 2. The last part ends the reading, even if the connection stays open, or is lost before the end
///    of the format.
/// 3. If the connection is lost, the response with everything that arrived comes before the error.
///
/// Releasing the reader cancels a request that has not ended.
package final class HTTPResponseReader {
  private let response: HTTPResponse
  private let url: URL
  private let policy: HTTPStatusPolicy?
  /// `nil` for a response that is not in parts, or whose body was read.
  private var assembler: ResponseAssembler?
  /// The time for a response that is not in parts, if nothing else limits it, because a response in
  /// parts has no end of its own.
  private var wholeDeadline: Duration?
  private var chunks: Chunks?
  /// The times at which the bytes of events arrive.
  private var arrivals: EventArrivals?
  /// The rest of the latest chunk, in the pieces that have arrived one after the other, the last
  /// one first. (A slice would keep the events that were removed from it.)
  private var pieces: [(bytes: Data, event: SentRequest?)] = []
  /// The arrival of the latest piece, until nothing is left of it.
  private var event: SentRequest?
  /// The event that follows the latest one in the same piece, or what is wrong with it.
  private var following: Result<Data, any Error>?
  private var failure: (any Error)?
  /// The time without any bytes before the end of the body.
  private var silence = Duration.zero
  private var hasEnded = false
  /// A response that was taken and returned.
  private var first: NetworkResponse?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The URL of its request, for errors.
  ///   - content: The meaning of its parts, or `nil` if its body was read. Then its parts are
  ///     merged at once.
  ///   - limits: The limits of the parts.
  ///   - policy: The meaning of a status that reports a failure, or `nil` if the caller decides
  ///     whether a response that is not in parts is one to the operation.
  ///   - sent: The request, of which events note when they arrive.
  package init(
    _ response: HTTPResponse, url: URL, inPartsOf content: PartsContent?, limits: TransferLimits,
    policy: HTTPStatusPolicy? = .strict, sent: SentRequest? = nil
  ) {
    self.policy = policy
    self.response = response
    self.url = url
    guard let content else { return }
    guard let framing = ResponseAssembler.Framing(response.head) else {
      if content == .events { wholeDeadline = limits.deadline }
      return
    }
    assembler = ResponseAssembler(
      framing: framing, content: content, maximumPartByteCount: limits.maximumResponseByteCount)
    if content == .events, let sent {
      let arrivals = EventArrivals(of: sent)
      response.noteArrivals(arrivals)
      self.arrivals = arrivals
    }
    chunks = Chunks(response)
  }

  /// Reads the first response and keeps it, so that ``next()`` returns it again.
  package func peek() async throws -> NetworkResponse? {
    first = try await next()
    return first
  }

  /// Returns the next response, or `nil` after the last one.
  package func next() async throws -> NetworkResponse? {
    if let first {
      self.first = nil
      return first
    }
    if hasEnded { return nil }
    guard assembler != nil else {
      hasEnded = true
      let whole =
        if let wholeDeadline {
          try await CallDeadline(wholeDeadline).limit(url: url) { [response] in
            try await response.read()
          }
        } else {
          try await response.read()
        }
      var classified = try whole.classified(url: url, policy)
      classified.attempt = response.attempt
      return classified
    }
    do {
      let body = try await nextBody()
      if body == nil { hasEnded = true }
      guard let body else { return nil }
      var part = assembler?.response(body, http: response.head.details)
      // An event has its own position.
      if let event { part?.sent = event } else { part?.attempt = response.attempt }
      lookAhead()
      return part
    } catch {
      hasEnded = true
      throw error
    }
  }

  /// Looks for another event in the latest piece. If there is none, its arrival goes with the
  /// response alone: the next piece may be read much later.
  private func lookAhead() {
    guard event != nil else { return }
    do {
      following = try assembler?.next().map { .success($0) }
    } catch {
      following = .failure(error)
    }
    if following == nil { event = nil }
  }

  private func nextBody() async throws -> Data? {
    if let following {
      self.following = nil
      return try following.get()
    }
    while true {
      let hasMoreBytes = failure == nil && response.hasBufferedBytes
      if let body = try assembler?.next(hasMoreBytes: hasMoreBytes) { return body }
      if appendPiece() { continue }
      if assembler?.isComplete == true { return nil }
      if let failure { throw failure }
      if assembler?.hasEnded != false {
        try assembler?.finish()
        return nil
      }
      do {
        let beginning = ContinuousClock.now
        if let chunk = try await chunks?.next() {
          append(chunk)
        } else {
          // A stream that is iterated by a cancelled task ends without an error.
          try Task.checkCancellation()
          silence = ContinuousClock.now - beginning
          try assembler?.finish()
          return nil
        }
      } catch let error as ResponseStreamError {
        failure = error.after(silence: silence)
      } catch {
        failure = error
      }
    }
  }

  private func append(_ chunk: Data) {
    guard let arrivals else {
      assembler?.append(chunk)
      return
    }
    pieces = arrivals.split(chunk).reversed()
    _ = appendPiece()
  }

  /// Adds the next piece of a chunk. Returns `false` after the last one: what was in it is handled.
  private func appendPiece() -> Bool {
    event = nil
    guard let piece = pieces.popLast() else { return false }
    event = piece.event
    assembler?.append(piece.bytes)
    return true
  }
}

/// The body of a response, chunk by chunk.
// An object, because the layout of a stream's iterator is unknown to the compiler.
private final class Chunks {
  private var iterator: AsyncThrowingStream<Data, any Error>.Iterator

  init(_ response: HTTPResponse) { iterator = response.chunks.makeAsyncIterator() }

  func next() async throws -> Data? { try await iterator.next() }
}

extension HTTPResponse {
  /// Reads the body and keeps it for later readers. Returns `nil` if it comes in parts.
  mutating func readUnlessInParts() async throws -> Data? {
    guard ResponseAssembler.Framing(head) == nil else { return nil }
    self = try await read()
    return readBody
  }

  /// The response as one to an operation, from a body that was read. The parts of a response are
  /// merged.
  ///
  /// - Throws: ``GraphQLHTTPResponseError``, ``ResponseStreamError``.
  fileprivate func classified(url: URL, _ policy: HTTPStatusPolicy?) throws -> NetworkResponse {
    let body = readBody ?? Data()
    guard let framing = ResponseAssembler.Framing(head) else {
      guard let policy else { return NetworkResponse(body: body, http: head.details, url: url) }
      return try ResponseClassifier.classify(head, body: body, url: url, policy)
    }
    return try ResponseAssembler.wholeResponse(in: body, framing, http: head.details)
  }
}
