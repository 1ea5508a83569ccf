internal import ApolloAPI
internal import ApolloRecording
public import ApolloTransport
public import Foundation

/// A transport that plays back what a ``RecordingTransport`` has recorded, for tests without a
/// network.
///
/// ```swift
/// let transport = try ReplayTransport(file: URL(fileURLWithPath: "session.jsonl"))
/// let apollo = ApolloClient(networkTransport: transport)
/// // … what the program did while it was recorded …
/// #expect(transport.remaining.isEmpty && transport.mismatches.isEmpty)
/// ```
///
/// A request that does not fit fails with a ``MismatchError``, which names the first difference and
/// the line of the file. ``mismatches`` has it too, since a program can ignore the error. A
/// redacted variable fits every value. A call that was cancelled while it was recorded has no end:
/// it waits to be cancelled again.
///
/// Isolation: a lock guards which calls have been played.
public final class ReplayTransport: SubscriptionNetworkTransport, UploadingNetworkTransport {
  /// The rule by which a request finds its recorded call.
  public enum Matching: Hashable, Sendable {
    /// Requests come in the recorded order, each with the recorded document and variables. Calls
    /// that were under way at the same time come in any order among each other.
    case strict
    /// Requests come in any order. Each gets the first recorded call with its operation and its
    /// variables that has not been played yet, or the last such call again. A mutation is not
    /// repeated.
    case lenient
  }

  /// The times at which responses are given.
  public enum Timing: Hashable, Sendable {
    /// Without delays.
    case immediate
    /// With the recorded delays since the request, on the clock of the transport.
    case recorded
  }

  private let recording: Recording
  private let matching: Matching
  private let timing: Timing
  private let clock: any Clock<Duration>
  private struct State {
    /// The indices of the calls that were played.
    var played: Set<Int> = []
    var mismatches: [MismatchError] = []
  }

  private let state = Lock(State())

  /// Creates a transport that plays back a file.
  ///
  /// - Parameters:
  ///   - file: The recording.
  ///   - matching: The rule by which a request finds its recorded call.
  ///   - timing: The times at which responses are given.
  ///   - clock: The clock for recorded delays, such as a ``TestClock``.
  /// - Throws: An error of Foundation if the file cannot be read; `RecordingFormatError`, which
  ///   names the line, if it is no recording.
  public init(
    file: URL, matching: Matching = .strict, timing: Timing = .immediate,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    recording = try Recording(file: file)
    self.matching = matching
    self.timing = timing
    self.clock = clock
  }

  /// The recorded calls that were not played yet, such as `query HeroName (session.jsonl:7)`.
  public var remaining: [String] {
    let played = state.withLock { $0.played }
    return recording.calls.indices.filter { !played.contains($0) }.map { index in
      let call = recording.calls[index]
      let file = URL(fileURLWithPath: recording.path).lastPathComponent
      return "\(call.request.type) \(call.request.operation) (\(file):\(call.line))"
    }
  }
}

extension ReplayTransport {
  /// The errors of the requests that fitted no recorded call, in their order.
  public var mismatches: [MismatchError] { state.withLock { $0.mismatches } }
}

// MARK: - Sending

extension ReplayTransport {
  /// Returns the last recorded response to a query or a mutation.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard let last = try await responses(to: request).last() else {
      throw ReplayedError(
        typeName: "",
        description: "The recorded call of '\(request.operationName)' has no response.")
    }
    return last
  }

  /// Returns the recorded responses to an operation.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var events: ArraySlice<(delay: Duration, content: RecordedEvent.Content)>?
      /// Returns the time since the request, which a program spends between events too.
      var elapsed: @Sendable () -> Duration = { .zero }
      /// `true` after a part as a proxy records it.
      var hasParts = false
      /// `true` after a whole response to a query or a mutation, which nothing follows.
      var isComplete = false
      var assembler = ResponseAssembler(
        framing: .messages, content: .response, maximumPartByteCount: .max)
      let isSubscription = type(of: request.operation).operationType == .subscription
      return { [self] in
        if events == nil {
          events = try call(for: RecordedEvent.Request(request)).events[...]
          elapsed = clock.stopwatch()
        }
        while let event = events?.popFirst() {
          if timing == .recorded {
            let rest = event.delay - elapsed()
            if rest > .zero { try await clock.sleep(for: rest) }
          }
          switch event.content {
          case .response(let response):
            isComplete = !response.isPartial && !isSubscription
            return response.networkResponse
          case .part(let part):
            hasParts = true
            assembler.append(Data(part.body))
            guard let body = try assembler.next() else { continue }
            var merged = assembler.response(body, http: part.networkResponse.http)
            merged.url = part.networkResponse.url
            isComplete = !merged.isPartial && !isSubscription
            return merged
          case .failure(let failure): throw failure.error
          case .end:
            // A server can end a response before its last part.
            if hasParts { try assembler.finish() }
            return nil
          case .request: return nil
          case .cancelled: return try await waitForCancellation()
          }
        }
        // The recording ends before the call.
        return isComplete ? nil : try await waitForCancellation()
      }
    }
  }

  /// Returns the recorded response to an operation with files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    try await send(request.with(files))
  }

  private func waitForCancellation() async throws -> NetworkResponse? {
    try await TestClock().sleep(for: .seconds(1))  // a clock that is never advanced
    return nil
  }

  // MARK: Finding the call

  /// Returns the recorded call that fits a request, and marks it as played.
  private func call(for request: RecordedEvent.Request) throws -> Recording.Call {
    try state.withLock { state in
      do throws(MismatchError) {
        let index: Int
        switch matching {
        case .strict: index = try next(for: request, state.played)
        case .lenient: index = try first(for: request, state.played)
        }
        state.played.insert(index)
        return recording.calls[index]
      } catch {
        state.mismatches.append(error)
        throw error
      }
    }
  }

  /// Returns the next call in the recorded order, or one of those that were under way together with
  /// it, which must fit.
  private func next(
    for request: RecordedEvent.Request, _ played: Set<Int>
  ) throws(MismatchError) -> Int {
    var first: (difference: RequestDifference, line: Int)?
    var waiting: [Recording.Call] = []
    for (index, call) in recording.calls.enumerated() where !played.contains(index) {
      guard waiting.allSatisfy({ $0.overlaps(call) }) else { break }
      guard let difference = RequestDifference(request, call, comparesDocuments: true) else {
        return index
      }
      first = first ?? (difference, call.line)
      waiting.append(call)
    }
    throw MismatchError(
      first.map { .difference($0.difference, line: $0.line) }
        ?? .noFurtherCall(count: played.count),
      of: request, in: recording)
  }

  /// Returns the first call that fits and was not played, or the last one that fits.
  private func first(
    for request: RecordedEvent.Request, _ played: Set<Int>
  ) throws(MismatchError) -> Int {
    var nearest: (difference: RequestDifference, line: Int)?
    var last: Int?
    for (index, call) in recording.calls.enumerated() {
      if let difference = RequestDifference(request, call, comparesDocuments: false) {
        if difference.isOfVariables, nearest == nil { nearest = (difference, call.line) }
        continue
      }
      last = index
      if !played.contains(index) { return index }
    }
    if let last {
      guard request.type == "mutation" else { return last }
      throw MismatchError(.noFurtherCall(count: played.count), of: request, in: recording)
    }
    throw MismatchError(
      nearest.map { .difference($0.difference, line: $0.line) } ?? .unknownOperation, of: request,
      in: recording)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Returns a function for the time since this call.
  fileprivate func stopwatch() -> @Sendable () -> Swift.Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
