import Apollo
import Foundation
import TestOperations

/// Cancels calls one after the other, each at another moment, and measures the heap in between.
struct CancelledCalls {
  let count: Int

  private static let roundCount = 20
  /// The growth of the heap in the second half that counts as none: the allocator keeps freed
  /// blocks for each thread and counts them as used.
  private static let allowance = 256 << 10

  /// Returns `true` if the heap has kept its size.
  func run() async throws -> Bool {
    let server = try ServerProcess()
    defer { server.stop() }
    let client = Soak.client(server.url)
    print("| calls | heap | bytes a call |")
    print("| --: | --: | --: |")
    var sizes = [try ProcessUsage.current().heapByteCount]
    let roundSize = max(1, count / Self.roundCount)
    for round in 0..<Self.roundCount {
      for number in 0..<roundSize { await cancel(round * roundSize + number, client) }
      let size = try ProcessUsage.current().heapByteCount
      let growth = Double(size - (sizes.last ?? 0)) / Double(roundSize)
      let rate = String(format: "%.1f", growth)
      print("| \((round + 1) * roundSize) | \(size >> 10) KiB | \(rate) |")
      fflush(nil)
      sizes.append(size)
    }
    let growth = sizes[Self.roundCount] - sizes[Self.roundCount / 2]
    print("The second half of the calls left \(growth) bytes.")
    return growth <= Self.allowance
  }

  private func cancel(_ number: Int, _ client: ApolloClient) async {
    let call = Task {
      try await client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(additionalHeaders: ["X-Number": "\(number)"]))
    }
    if number % 4 > 0 {
      try? await Task.sleep(for: .microseconds(number % 700))  // the call is cancelled either way
    }
    call.cancel()
    _ = await call.result
  }
}
