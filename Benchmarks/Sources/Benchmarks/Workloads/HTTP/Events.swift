#if os(Linux)
  import Apollo
  import ApolloAPI
  import ApolloCache
  import BenchmarkAPI
  import Foundation

  /// The cost of the events of calls, on calls that the cache serves: began, cache read, delivered,
  /// completed.
  let events: [ExperimentMaker] = [
    { data in
      let body = try data.bytes(of: "small.json")
      let url = URL(string: "http://127.0.0.1:9/")!  // valid; nothing listens there
      func client(_ observers: [any CallEventObserver]) -> ApolloClient {
        ApolloClient(networkTransport: HTTPNetworkTransport(url: url), observers: observers)
      }
      let silent = client([])
      let observed = client([NoObserver()])
      let buffered = client([EventRingBuffer(capacity: 1_000)])
      func fetch(_ client: ApolloClient) async throws {
        do {
          keep(try await client.fetch(query: SmallQuery()).data)
        } catch is NetworkError {
          _ = try await client.store.publish(body: body, of: SmallQuery())
        }
      }
      return Comparison(
        title: "Events of a cached call",
        requestCount: 1,
        baseline: "without observers",
        workloads: [
          .asynchronous("without observers") { try await fetch(silent) },
          .asynchronous("4 events, to an observer that does nothing") {
            try await fetch(observed)
          },
          .asynchronous("4 events, to a ring buffer") { try await fetch(buffered) },
        ],
        note: { measurements in
          func median(_ name: String) -> Duration? {
            measurements.first { $0.name.hasPrefix(name) }?.median
          }
          guard let without = median("without"), let with = median("4 events, to an") else {
            return nil
          }
          return "One event costs \(text((with - without) / 4))."
        })
    }
  ]

  private struct NoObserver: CallEventObserver {
    func observe(_ event: CallEvent) {}
  }
#endif
