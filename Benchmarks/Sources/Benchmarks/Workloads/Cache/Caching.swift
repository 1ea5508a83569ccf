import ApolloAPI
import ApolloCache
import BenchmarkAPI
import Foundation

/// Writing responses to the cache in memory and reading them back, against decoding alone.
let memoryCaching: [ExperimentMaker] = [
  { try memoryCaching("small.json", SmallQuery(), from: $0) },
  { try memoryCaching("github.json", GitHubQuery(), from: $0) },
  { try memoryCaching("friends1000.json", FriendsQuery(), from: $0) },
  { try memoryCaching("feed.json", FeedQuery(), from: $0) },
]

private func memoryCaching<Operation: GraphQLQuery>(
  _ file: String, _ operation: Operation, from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  let full = ApolloStore()
  return Comparison(
    title: "In-memory cache, \(file)",
    byteCount: bytes.count,
    baseline: "decode alone",
    workloads: [
      Workload("decode alone") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
      .asynchronous("decode + write, empty cache") {
        keep(try await ApolloStore().publish(body: bytes, of: operation))
      },
      .asynchronous("decode + write, full cache") {
        keep(try await full.publish(body: bytes, of: operation))
      },
      // A transaction always reads; the store remembers the results of other reads.
      .asynchronous("read back") {
        keep(try await full.withinReadTransaction { try $0.read(query: operation) })
      },
      .asynchronous("read again, unchanged") {
        keep(try await read(operation, from: full))
      },
    ])
}

/// Reads an operation and expects all of its data in the cache.
func read<Operation: GraphQLOperation>(_ operation: Operation, from store: ApolloStore) async throws
  -> Operation.Data
{
  let reading = try await store.load(operation)
  guard let data = reading.data else { throw reading.misses[0] }
  return data
}
