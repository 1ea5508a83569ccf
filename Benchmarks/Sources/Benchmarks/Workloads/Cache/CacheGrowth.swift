import ApolloAPI
import ApolloCache
import BenchmarkAPI
import Foundation

/// Writing and reading one query in caches of more and more records.
let cacheGrowth: [ExperimentMaker] = [
  { _ in growingCache() }
]

private func growingCache() -> Comparison {
  let sizes = [1_000, 10_000, 100_000, 1_000_000]
  let stores = sizes.map { count in Lazy { filledStore(count: count) } }
  return Comparison(
    title: "A write and a read in a cache of many records",
    baseline: "write, 1000 records",
    workloads: zip(sizes, stores).flatMap { size, store in
      [
        .asynchronous("write, \(size) records") { try await store.value().write() },
        .asynchronous("read, \(size) records") { try await store.value().read() },
      ]
    })
}

private func filledStore(count: Int) -> GrownStore {
  let records = (0..<count).map { number in
    Record(
      key: RecordKey("Character:c\(number)"),
      fields: [
        "__typename": "Character", "id": .string("c\(number)"), "name": "Somebody", "age": 1,
      ])
  }
  return GrownStore(ApolloStore(cache: InMemoryNormalizedCache(records: RecordSet(records))))
}

/// A store in which one character is written and read.
private final class GrownStore {
  private let store: ApolloStore
  private let query = CharacterQuery(id: "c7")
  private var age = 0

  init(_ store: ApolloStore) { self.store = store }

  func write() async throws {
    age += 1
    let body =
      #"{"data":{"character":{"__typename":"Character","id":"c7","name":"Luke","age":\#(age)}}}"#
    keep(try await store.publish(body: Data(body.utf8), of: query))
  }

  func read() async throws {
    if age == 0 { try await write() }
    keep(try await store.withinReadTransaction { try $0.read(query: query) })
  }
}
