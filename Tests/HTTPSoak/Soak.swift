import Apollo
import Foundation
import LoopbackServer
import TestOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A run of many calls at a bounded rate, with samples of the process's size.
final class Soak: Sendable {
  private let seconds: Int
  private let rate: Int
  /// The name of the proxy in front of the server, if there is one.
  private let proxy: String?
  private let tally = Lock(Tally())
  private let turns = Lock(Turns())

  private static let workerCount = 16
  private static let sampleCount = 40

  init(seconds: Int, rate: Int, proxy: String? = nil) {
    self.seconds = seconds
    self.rate = rate
    self.proxy = proxy
  }

  /// Returns whether the process has kept its size and every call has ended as it should.
  func run() async throws -> Bool {
    let server = try ServerProcess()
    defer { server.stop() }
    let proxy = try proxy.map { try ProxyProcess($0, to: server.url) }
    defer { proxy?.stop() }
    let url = proxy?.url ?? server.url
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let samples = try await withThrowingTaskGroup(of: [Sample].self) { group in
      for worker in 0..<Self.workerCount {
        group.addTask {
          try await self.work(worker, on: url, from: start, until: end)
          return []
        }
      }
      group.addTask { try await self.sample(from: start) }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return judge(samples)
  }

  // MARK: Calls

  private func work(
    _ worker: Int, on url: URL, from start: ContinuousClock.Instant,
    until end: ContinuousClock.Instant
  ) async throws {
    let interval = Duration.seconds(1) * Self.workerCount / rate
    var turn = 0
    var client = Self.client(url)
    while ContinuousClock.now < end {
      // Clients come and go.
      if turn % 50 == 49 { client = Self.client(url) }
      let number = turn * Self.workerCount + worker
      while !turns.withLock({ $0.begin() }) { try await Task.sleep(for: .milliseconds(10)) }
      await call(number, client)
      turns.withLock { $0.callCount -= 1 }
      turn += 1
      try await Task.sleep(until: start + interval * turn, clock: .continuous)
    }
  }

  static func client(_ url: URL) -> ApolloClient {
    var limits = TransferLimits()
    limits.maximumResponseByteCount = FaultyServer.maximumByteCount
    limits.deadline = .seconds(2)
    return ApolloClient(
      networkTransport: HTTPNetworkTransport(url: url, client: DefaultHTTPClient(limits: limits)))
  }

  /// Makes one call, which is cancelled at some moment if its number ends in 7.
  private func call(_ number: Int, _ client: ApolloClient) async {
    let call = Task {
      try await client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(additionalHeaders: ["X-Number": "\(number)"]))
    }
    if number % 10 == 7 {
      try? await Task.sleep(for: .microseconds(number % 1_000))  // the call is cancelled either way
      call.cancel()
    }
    let outcome: Outcome
    do {
      let name = try await call.value.data?.hero?.name
      outcome = name == nil || name == "\(number)" ? .answered : .confused
    } catch is CancellationError {
      outcome = .cancelled
    } catch {
      outcome = .failed
    }
    tally.withLock { $0.counts[outcome, default: 0] += 1 }
  }

  private enum Outcome { case answered, failed, cancelled, confused }

  private struct Tally {
    var counts: [Outcome: Int] = [:]
    var total: Int { counts.values.reduce(0, +) }
  }

  // MARK: Samples

  /// The calls under way. None begins while a sample is taken.
  private struct Turns {
    var callCount = 0
    var isSampling = false

    /// Begins a call, or returns `false`.
    mutating func begin() -> Bool {
      if !isSampling { callCount += 1 }
      return !isSampling
    }
  }

  private struct Sample {
    var usage: ProcessUsage
    var callCount: Int
  }

  private func sample(from start: ContinuousClock.Instant) async throws -> [Sample] {
    print("| seconds | calls | failed | cancelled | resident | heap | descriptors | threads |")
    print("| --: | --: | --: | --: | --: | --: | --: | --: |")
    var samples: [Sample] = []
    for index in 1...Self.sampleCount {
      let time = Double(seconds) * Double(index) / Double(Self.sampleCount)
      try await Task.sleep(until: start + .seconds(time), clock: .continuous)
      let usage = try await usageWithoutCalls()
      let tally = tally.get()
      samples.append(Sample(usage: usage, callCount: tally.total))
      print(
        "| \(Int(time)) | \(tally.total) | \(tally.counts[.failed] ?? 0)",
        "\(tally.counts[.cancelled] ?? 0) | \(usage.residentByteCount >> 10) KiB",
        "\(usage.heapByteCount >> 10) KiB | \(usage.descriptorCount) | \(usage.threadCount) |",
        separator: " | ")
      fflush(nil)
    }
    return samples
  }

  /// The size of the process without any call. A busy machine has more of them under way, and each
  /// takes memory.
  private func usageWithoutCalls() async throws -> ProcessUsage {
    turns.withLock { $0.isSampling = true }
    defer { turns.withLock { $0.isSampling = false } }
    while turns.withLock({ $0.callCount > 0 }) { try await Task.sleep(for: .milliseconds(10)) }
    // Connections and tasks end a little later than their calls.
    var usages: [ProcessUsage] = []
    for _ in 1...5 {
      try await Task.sleep(for: .milliseconds(50))
      usages.append(try ProcessUsage.current())
    }
    return usages.min { $0.heapByteCount < $1.heapByteCount } ?? usages[0]
  }

  /// Compares the second quarter of the run, when everything has been used, with the last one.
  private func judge(_ samples: [Sample]) -> Bool {
    let quarter = Self.sampleCount / 4
    func median(_ range: Range<Int>, _ value: (Sample) -> Int) -> Int {
      samples[range].map(value).sorted()[range.count / 2]
    }
    var isFlat = true
    func compare(_ name: String, allowance: Int, _ value: (Sample) -> Int) {
      let before = median(quarter..<2 * quarter, value)
      let after = median(3 * quarter..<Self.sampleCount, value)
      let hasGrown = after > before + allowance
      if hasGrown { isFlat = false }
      print("\(name): \(before) before, \(after) after\(hasGrown ? ", which is too much" : "").")
    }
    compare("Resident bytes", allowance: 2 << 20) { $0.usage.residentByteCount }
    compare("Heap bytes", allowance: 256 << 10) { $0.usage.heapByteCount }
    compare("Descriptors", allowance: 8) { $0.usage.descriptorCount }
    compare("Threads", allowance: 2) { $0.usage.threadCount }
    let tally = tally.get()
    if let confused = tally.counts[.confused] {
      print("\(confused) calls received the response to another one.")
      isFlat = false
    }
    print("\(tally.total) calls have ended, each once. \(isFlat ? "Nothing has grown." : "")")
    return isFlat
  }
}
