internal import ApolloAPI

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// An HTTP client that sends queries which are made at about the same time as one request: the body
/// is an array of theirs, and so is the server's response.
///
/// The server must allow that; most servers do not by default. A batch saves requests, but its
/// slowest query delays the others. HTTP/2, which sends many requests over one connection, usually
/// is the better choice.
///
/// ```swift
/// let client = BatchingHTTPClient(configuration: .init(maximumDelay: .milliseconds(5)))
/// let apollo = ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: client))
/// ```
///
/// 1. A query waits for others until ``Configuration/maximumDelay`` has passed or the batch is
///    full.
/// 2. Queries share a batch if their URLs and their headers are equal, except those that name the
///    operation or belong to a trace.
/// 3. Each query receives its element of the array, with the status and the headers of the
///    response. If there is none, it fails with a ``BatchResponseError``.
/// 4. A query that is cancelled leaves its batch, or does not receive its response. The last one
///    cancels the request.
///
/// Only queries by POST are batched. A mutation is sent at once and alone, as an array only if
/// ``Configuration/alwaysSendsArrays`` says so: the operations of a
/// batch have no order that servers agree on, and one lost connection would leave the effect of
/// several mutations unknown. Uploads, subscriptions, and queries whose response arrives in parts,
/// have responses that are no elements of an array. An operation whose body an interceptor has
/// compressed, or has given a digest, is sent alone and as it is.
///
/// Isolation: all state is behind a lock; continuations are resumed outside of it.
public final class BatchingHTTPClient: HTTPClient {
  /// The limits of a batch.
  public struct Configuration: Hashable, Sendable {
    /// The longest time that the first query of a batch waits for others.
    public var maximumDelay: Duration
    /// The greatest number of queries. With 1, nothing is batched.
    public var maximumQueryCount: Int
    /// The greatest size of the body, unless a single query is larger.
    public var maximumByteCount: Int
    /// `true` to send every operation in an array, also a query that is alone and a mutation, for
    /// servers that take nothing else, such as graphene-django with `batch=True`. `false` by
    /// default, since servers without batches take no arrays.
    public var alwaysSendsArrays = false

    /// Creates a configuration. By default, a batch has up to 10 queries of 10 milliseconds.
    public init(
      maximumDelay: Duration = .milliseconds(10), maximumQueryCount: Int = 10,
      maximumByteCount: Int = 256 << 10
    ) {
      self.maximumDelay = maximumDelay
      self.maximumQueryCount = maximumQueryCount
      self.maximumByteCount = maximumByteCount
    }
  }

  private typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

  /// A batch that waits for further queries.
  private struct OpenBatch {
    var id: Int
    var batch: RequestBatch
    var waiters: [Int: Waiter] = [:]
    var alarm: Alarm?
  }

  /// A batch that was sent.
  private struct SentBatch {
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter]
  }

  private struct State {
    var open: [RequestBatch.Key: OpenBatch] = [:]
    var sent: [Int: SentBatch] = [:]
    var lastID = 0

    mutating func makeID() -> Int {
      lastID += 1
      return lastID
    }
  }

  private let base: any HTTPClient
  private let configuration: Configuration
  private let clock: any AlarmClock
  private let state = Lock(State())

  /// Creates a client that sends its requests through another one.
  public convenience init(
    _ base: any HTTPClient = DefaultHTTPClient(), configuration: Configuration = Configuration()
  ) {
    self.init(base, configuration: configuration, clock: SystemAlarmClock.shared)
  }

  package init(
    _ base: any HTTPClient, configuration: Configuration, clock: any AlarmClock
  ) {
    self.base = base
    self.configuration = configuration
    self.clock = clock
  }

  /// The limits of the other client.
  public var limits: TransferLimits { base.limits }

  /// The number of queries that wait for others or for their response, for tests.
  package var waitingCount: Int {
    state.withLock { state in
      state.open.values.reduce(0) { $0 + $1.waiters.count }
        + state.sent.values.reduce(0) { $0 + $1.waiters.count }
    }
  }

  /// Sends a request at once and alone. Transports use another way for queries.
  public func response(to request: URLRequest) async throws -> HTTPResponse {
    try await sendAlone(_OutgoingRequest(request))
  }

  private func sendAlone(_ request: _OutgoingRequest) async throws -> HTTPResponse {
    guard configuration.alwaysSendsArrays, RequestBatch.Key(request.whole) != nil,
      !request.head.acceptsParts
    else { return try await base._response(to: request) }
    var batch = RequestBatch(alwaysMakesArrays: true)
    batch.append(request.whole, caller: 0, timeout: request.timeout)
    return try await responses(to: batch, of: request)[0].get()
  }

  /// Invalidates the other client.
  public func invalidate() { base.invalidate() }

  /// Sends a query together with others if it can be, and everything else alone.
  public func _response(to request: _OutgoingRequest) async throws -> HTTPResponse {
    // Requests of several calls have no deadline of their own.
    var request = request
    request.facts.deadline = nil
    return request.isRepeatable
      ? try await response(toQuery: request) : try await sendAlone(request)
  }

  /// Sends a query, together with others if it can be.
  func response(toQuery outgoing: _OutgoingRequest) async throws -> HTTPResponse {
    let request = outgoing.whole
    guard configuration.maximumQueryCount > 1, !request.acceptsParts,
      let key = RequestBatch.Key(request)
    else {
      return try await sendAlone(outgoing)
    }
    let caller = state.withLock { $0.makeID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        add(request, outgoing.timeout, key, caller, waiter)
      }
    } onCancel: {
      leave(caller)
    }
  }

  // MARK: Gathering

  /// Adds a query to the open batch of its key. Sends the batch if that makes it full, and an
  /// earlier one if the query does not fit into it.
  private func add(
    _ request: URLRequest, _ timeout: Duration?, _ key: RequestBatch.Key, _ caller: Int,
    _ waiter: Waiter
  ) {
    let (isCancelled, newBatch, alarms): (Bool, Int?, [Alarm]) = state.withLock { state in
      if Task.isCancelled { return (true, nil, []) }
      var alarms: [Alarm] = []
      if let open = state.open[key],
        open.batch.byteCount + RequestBatch.byteCount(of: request) > configuration.maximumByteCount
      {
        alarms.append(contentsOf: close(key, in: &state))
      }
      let isNew = state.open[key] == nil
      var open =
        state.open[key]
        ?? OpenBatch(
          id: state.makeID(),
          batch: RequestBatch(alwaysMakesArrays: configuration.alwaysSendsArrays))
      open.batch.append(request, caller: caller, timeout: timeout)
      open.waiters[caller] = waiter
      state.open[key] = open
      if open.waiters.count >= configuration.maximumQueryCount {
        alarms.append(contentsOf: close(key, in: &state))
        return (false, nil, alarms)
      }
      return (false, isNew ? open.id : nil, alarms)
    }
    for alarm in alarms { alarm.cancel() }
    if isCancelled { waiter.resume(throwing: CancellationError()) }
    if let newBatch { setAlarm(for: newBatch, key) }
  }

  private func setAlarm(for id: Int, _ key: RequestBatch.Key) {
    let alarm = clock.setAlarm(after: configuration.maximumDelay) { [weak self] in
      guard let self else { return }
      state.withLock { state in
        if state.open[key]?.id == id { _ = close(key, in: &state) }
      }
    }
    let isOpen = state.withLock { state in
      guard state.open[key]?.id == id else { return false }
      state.open[key]?.alarm = alarm
      return true
    }
    if !isOpen { alarm.cancel() }
  }

  /// Sends an open batch. Returns its alarm, to be cancelled outside of the lock.
  private func close(_ key: RequestBatch.Key, in state: inout State) -> [Alarm] {
    guard let open = state.open.removeValue(forKey: key) else { return [] }
    let task = Task { await send(open.batch, id: open.id) }
    state.sent[open.id] = SentBatch(task: task, waiters: open.waiters)
    return open.alarm.map { [$0] } ?? []
  }

  private func leave(_ caller: Int) {
    let (waiter, alarm, task): (Waiter?, Alarm?, Task<Void, Never>?) = state.withLock { state in
      for (key, var open) in state.open {
        guard let waiter = open.waiters.removeValue(forKey: caller) else { continue }
        open.batch.remove(caller: caller)
        state.open[key] = open.waiters.isEmpty ? nil : open
        return (waiter, open.waiters.isEmpty ? open.alarm : nil, nil)
      }
      for (id, var sent) in state.sent {
        guard let waiter = sent.waiters.removeValue(forKey: caller) else { continue }
        state.sent[id] = sent.waiters.isEmpty ? nil : sent
        return (waiter, nil, sent.waiters.isEmpty ? sent.task : nil)
      }
      return (nil, nil, nil)
    }
    alarm?.cancel()
    task?.cancel()
    waiter?.resume(throwing: CancellationError())
  }

  // MARK: Sending

  private func send(_ batch: RequestBatch, id: Int) async {
    do {
      let responses = try await responses(to: batch)
      finish(id, batch) { responses[$0] }
    } catch {
      finish(id, batch) { _ in .failure(error) }
    }
  }

  /// Returns the response to each request of a batch.
  ///
  /// Some servers respond to the whole batch with the status of its worst member. An element with
  /// data has succeeded all the same.
  ///
  /// `call` is the only request, if the batch has no other: the base notes the attempt of its call,
  /// and ends it with its session.
  private func responses(
    to batch: RequestBatch, of call: _OutgoingRequest? = nil
  ) async throws -> [Result<HTTPResponse, any Error>] {
    let request = batch.merged
    var outgoing = call?.replacing(request) ?? _OutgoingRequest(request)
    outgoing.timeout = batch.timeout
    // The task is that of the first query, or of an alarm.
    let response = try await TransferLimits.$needsNewConnection.withValue(
      batch.needsNewConnection
    ) { [outgoing] in try await base.sendAllowingSilence(outgoing) }
    guard batch.makesArray else { return [.success(response)] }
    let bodies = BatchResponse.bodies(
      in: try await response.body(), queryCount: batch.requests.count, url: request.url)
    let isSuccess = (200..<300).contains(response.head.statusCode)
    return bodies.map { body in
      body.map { body in
        let hasSucceeded = isSuccess || ResponseOutline(body).hasData
        return HTTPResponse(
          head: hasSucceeded ? response.head.succeeding : response.head, body: body)
      }.mapError { $0 as any Error }
    }
  }

  private func finish(
    _ id: Int, _ batch: RequestBatch, _ result: (Int) -> Result<HTTPResponse, any Error>
  ) {
    let waiters = state.withLock { $0.sent.removeValue(forKey: id)?.waiters } ?? [:]
    for (index, element) in batch.requests.enumerated() {
      waiters[element.caller]?.resume(with: result(index))
    }
  }
}

extension URLRequest {
  /// `true` if the response may arrive in parts.
  fileprivate var acceptsParts: Bool {
    let accept = value(forHTTPHeaderField: "Accept") ?? ""
    return accept.contains("multipart/") || accept.contains("text/event-stream")
  }
}
