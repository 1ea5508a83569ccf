#if os(Linux)
  import Apollo
  import BenchmarkAPI
  import CAllocationCounter
  import CCurlPrograms
  import Foundation

  /// Many subscriptions on one socket.
  let liveSubscriptions: [ExperimentMaker] = [{ _ in LiveSubscriptions() }]

  /// The memory, the latency and the idle cost of subscriptions that share a socket.
  ///
  /// Latency is the time from the call that sends an event to the delivery of its typed value.
  struct LiveSubscriptions: Experiment {
    let title = "Live subscriptions on one socket"

    func table() async throws -> String {
      var rows = [["", "result"]]
      rows += try await memory(of: 1_000)
      for writes in [false, true] {
        rows.append(try await residentMemory(of: 10_000, writes: writes))
      }
      for rate in [1_000, 10_000, 50_000] { rows.append(try await latency(of: 1_000, rate: rate)) }
      rows.append(try await idleTime(of: 10_000))
      return markdown(rows)
    }

    // MARK: Memory

    private func memory(of count: Int) async throws -> [[String]] {
      let server = try SocketServer()
      let transport = WebSocketTransport.measured(server.url)
      // One subscription makes the connection, and what all subscriptions share.
      let first = try await Subscribers.bytes(transport, count: 1)
      var before = usedByteCount()
      var iterators: [NetworkResponses.Iterator] = []
      for _ in 0..<count {
        let request = OperationRequest(ReviewAddedSubscription(count: 0))
        var iterator = transport.responses(to: request).makeAsyncIterator()
        _ = try await iterator.next()
        iterators.append(iterator)
      }
      let ofIterator = (usedByteCount() - before) / count
      before = usedByteCount()
      let bytes = try await Subscribers.bytes(transport, count: count)
      let ofTransport = (usedByteCount() - before) / count
      before = usedByteCount()
      let apollo = ApolloClient(networkTransport: transport, store: ApolloStore())
      let values = try await Subscribers.values(apollo, count: count) { _ in }
      let ofClient = (usedByteCount() - before) / count
      withExtendedLifetime((first, iterators, bytes, values, server)) {}
      return [
        ["memory for each of \(count), of the transport", "\(ofIterator) B"],
        ["memory for each of \(count), of the transport with a task", "\(ofTransport) B"],
        ["memory for each of \(count), of the client with a task", "\(ofClient) B"],
      ]
    }

    /// The growth of the resident memory, which includes what the allocator and the tasks hold.
    private func residentMemory(of count: Int, writes: Bool) async throws -> [String] {
      let server = try SocketServer()
      let transport = WebSocketTransport.measured(server.url)
      let apollo = ApolloClient(networkTransport: transport, store: ApolloStore())
      let first = try await Subscribers.values(apollo, count: 1, writes: writes) { _ in }
      let (before, allocated) = (residentByteCount(), usedByteCount())
      let values = try await Subscribers.values(apollo, count: count, writes: writes) { _ in }
      let after = (residentByteCount() - before) / count
      let kept = (usedByteCount() - allocated) / count
      withExtendedLifetime((first, values, server)) {}
      return [
        "memory for each of \(count), resident, with a task"
          + (writes ? ", results written to the cache" : ""), "\(after) B, allocated \(kept) B",
      ]
    }

    private func residentByteCount() -> Int {
      allocator_give_back()
      let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * Int(getpagesize())
    }

    private func usedByteCount() -> Int {
      allocator_give_back()
      return allocated_byte_count()
    }

    // MARK: Latency

    private func latency(of count: Int, rate: Int) async throws -> [String] {
      let server = try SocketServer()
      let transport = WebSocketTransport.measured(server.url)
      let apollo = ApolloClient(networkTransport: transport, store: ApolloStore())
      let latencies = Latencies()
      let subscribers = try await Subscribers.values(apollo, count: count) { commentary in
        latencies.add(UInt64(commentary))
      }
      latencies.reset()
      let sent = max(2, 2 * rate / count) * count
      let start = DispatchTime.now().uptimeNanoseconds
      await onThread {
        var number = 0
        for _ in 0..<(sent / count) {
          server.publish {
            // In bursts of one millisecond: a thread cannot sleep for less.
            while number % max(1, rate / 1_000) == 0 {
              let due = start + UInt64(number) * 1_000_000_000 / UInt64(rate)
              let now = DispatchTime.now().uptimeNanoseconds
              if now >= due { break }
              usleep(UInt32((due - now) / 1_000))
            }
            number += 1
            return String(DispatchTime.now().uptimeNanoseconds)
          }
        }
      }
      let sorted = await latencies.sorted(count: sent)
      withExtendedLifetime((subscribers, server)) {}
      func percentile(_ part: Double) -> String {
        text(.nanoseconds(Int64(sorted[Int(Double(sorted.count - 1) * part)])))
      }
      return [
        "latency at \(rate) events a second to \(count)",
        "median \(percentile(0.5)), p99 \(percentile(0.99))",
      ]
    }

    // MARK: Idle

    private func idleTime(of count: Int) async throws -> [String] {
      let server = try SocketServer()
      let transport = WebSocketTransport.measured(server.url)
      let subscribers = try await Subscribers.bytes(transport, count: count)
      let before = clock()
      try await Task.sleep(for: .seconds(5))
      let used = Double(clock() - before) / Double(CLOCKS_PER_SEC)
      withExtendedLifetime((subscribers, server)) {}
      return [
        "processor time of \(count) idle subscriptions in 5 s",
        String(format: "%.2f ms", used * 1e3),
      ]
    }
  }

  /// Tasks that await the events of subscriptions, until the reference is released.
  private final class Subscribers {
    private let tasks: [Task<Void, any Error>]

    private init(_ tasks: [Task<Void, any Error>]) { self.tasks = tasks }

    deinit { for task in tasks { task.cancel() } }

    static func bytes(
      _ transport: WebSocketTransport, count: Int
    ) async throws -> Subscribers {
      try await started(count) { onEvent in
        let request = OperationRequest(ReviewAddedSubscription(count: 0))
        for try await _ in transport.responses(to: request) { onEvent() }
      }
    }

    static func values(
      _ apollo: ApolloClient, count: Int, writes: Bool = false,
      _ handle: @escaping @Sendable (String) -> Void
    ) async throws -> Subscribers {
      try await started(count) { onEvent in
        let events = apollo.subscribe(
          subscription: ReviewAddedSubscription(count: 0), cachePolicy: .networkOnly,
          requestConfiguration: RequestConfiguration(writeResultsToCache: writes))
        for try await event in events {
          handle(event.data?.reviewAdded?.commentary ?? "")
          onEvent()
        }
      }
    }

    /// Starts tasks and returns when each of them has received an event.
    private static func started(
      _ count: Int,
      _ work: @escaping @Sendable (_ onEvent: () -> Void) async throws -> Void
    ) async throws -> Subscribers {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let tasks = (0..<count).map { _ in
        Task {
          var isFirst = true
          try await work {
            if isFirst { continuation.yield() }
            isFirst = false
          }
        }
      }
      let subscribers = Subscribers(tasks)
      var remaining = count
      for await _ in stream {
        remaining -= 1
        if remaining == 0 { break }
      }
      // The last tasks wait for their second event.
      try await Task.sleep(for: .milliseconds(100))
      return subscribers
    }
  }

  // `@unchecked Sendable` because `lock` guards the list.
  private final class Latencies: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [UInt64] = []

    func add(_ sent: UInt64?) {
      guard let sent else { return }
      let now = DispatchTime.now().uptimeNanoseconds
      lock.withLock { list.append(now - sent) }
    }

    func reset() { lock.withLock { list = [] } }

    /// Waits until so many events have arrived.
    func sorted(count: Int) async -> [UInt64] {
      while lock.withLock({ list.count }) < count {
        try? await Task.sleep(for: .milliseconds(10))  // nothing cancels it
      }
      return lock.withLock { list.sorted() }
    }
  }

  private func onThread(_ work: @escaping () -> Void) async {
    nonisolated(unsafe) let work = work  // because the caller waits for it
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        work()
        continuation.resume()
      }
    }
  }
#endif
