import ApolloAPI
import ApolloCache
import BenchmarkAPI
import Foundation

/// Reading with other selections than the one that wrote, and writing responses that differ from
/// the records, against decoding alone.
let otherReadings: [ExperimentMaker] = [{ try otherReadings(from: $0) }]

private func otherReadings(from data: BenchmarkData) throws -> Comparison {
  let bytes = try data.bytes(of: "friends1000.json")
  let operation = FriendsQuery()
  let unchanged = WrittenStore(bytes)
  let changing = ApolloStore()
  let other = WrittenStore(bytes)
  let all = Alternation(bytes, changingEach: 1)
  let tenth = Alternation(bytes, changingEach: 10)
  return Comparison(
    title: "In-memory cache, other selections and changed data, friends1000.json",
    byteCount: bytes.count,
    baseline: "decode alone",
    workloads: [
      Workload("decode alone") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
      .asynchronous("decode + write, every object changed") {
        keep(try await changing.publish(body: await all.next(), of: operation))
      },
      .asynchronous("decode + write, a tenth changed") {
        keep(try await other.store.publish(body: await tenth.next(), of: operation))
      },
      .asynchronous("decode + write, nothing changed") {
        keep(try await unchanged.store.publish(body: bytes, of: operation))
      },
      .asynchronous("read back, the same query") {
        keep(try await unchanged.store.withinReadTransaction { try $0.read(query: operation) })
      },
      .asynchronous("read back by another query, all fields") {
        let store = try await unchanged.store
        keep(
          try await store.withinReadTransaction { try $0.read(query: FriendsInOtherOrderQuery()) })
      },
      .asynchronous("read back by another query, three fields of each object") {
        let store = try await unchanged.store
        keep(try await store.withinReadTransaction { try $0.read(query: FriendsNamesQuery()) })
      },
      .asynchronous("read back, the same query, after a change of a tenth") {
        keep(try await other.store.withinReadTransaction { try $0.read(query: operation) })
      },
    ])
}

/// A store with a response, which it writes when it is first used.
private actor WrittenStore {
  private let bytes: Data
  private let empty = ApolloStore()
  private var isWritten = false

  init(_ bytes: Data) {
    self.bytes = bytes
  }

  var store: ApolloStore {
    get async throws {
      if !isWritten { keep(try await empty.publish(body: bytes, of: FriendsQuery())) }
      isWritten = true
      return empty
    }
  }
}

/// Two bodies of the same length that differ in the ages of some of their objects, in turns.
private actor Alternation {
  private let bodies: [Data]
  private var count = 0

  /// Makes a body in which each object at this distance has changed: 1 for all, 10 for a tenth.
  init(_ bytes: Data, changingEach distance: Int) {
    var other = [UInt8](bytes)
    let marker = Array(#""age":"#.utf8)
    var index = 0
    var objectCount = 0
    while let start = other[index...].firstRange(of: marker)?.upperBound {
      // A last digit that is never that of the original.
      let end = other[start...].firstIndex { $0 == UInt8(ascii: ",") } ?? other.endIndex
      if objectCount % distance == 0 {
        other[end - 1] = (other[end - 1] - UInt8(ascii: "0") + 1) % 10 + UInt8(ascii: "0")
      }
      objectCount += 1
      index = end
    }
    bodies = [bytes, Data(other)]
  }

  func next() -> Data {
    count += 1
    return bodies[count % 2]
  }
}
