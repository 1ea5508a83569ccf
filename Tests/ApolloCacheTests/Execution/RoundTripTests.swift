import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import SeededRandom
import Testing

/// Data that is read back equals the data that was decoded, for random schemas, operations and
/// responses.
@Suite(.timeLimit(.minutes(10)))
struct RoundTripTests {
  /// A store, and how to open it anew where that is another way to read.
  private struct Opened {
    var name: String
    var store: ApolloStore
    var reopen: (() throws -> ApolloStore)?
  }

  private static func stores(in folder: URL) throws -> [Opened] {
    let file = folder.appendingPathComponent("disk.sqlite")
    let chained = folder.appendingPathComponent("chain.sqlite")
    func disk() throws -> ApolloStore {
      ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
    }
    func chain() throws -> ApolloStore {
      ApolloStore(cache: ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: chained)))
    }
    return [
      Opened(name: "memory", store: ApolloStore()),
      Opened(name: "a user's own", store: ApolloStore(cache: DictionaryCache([:]))),
      Opened(name: "SQLite", store: try disk(), reopen: disk),
      Opened(name: "memory in front of SQLite", store: try chain(), reopen: chain),
    ]
  }

  private func expect(
    _ operation: RandomWorld.Operation, _ definition: DynamicDefinition, in store: ApolloStore,
    _ answer: JSONValue, _ comment: Comment
  ) async throws {
    try await definition.use { query in
      let reading = try await store.load(query.init(operation.variables))
      #expect(reading.misses == [], comment)
      #expect(reading.data?.jsonValue == answer["data"], comment)
    }
  }

  @Test func readsBackWhatWasDecoded() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-round-trips-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what is left
    for round in 0..<40 {
      let seed = freshSeed &+ UInt64(round)
      var world = RandomWorld(seed: seed)
      // Each is asked with several values of its variables.
      let written = (0..<3).map { _ in world.operation() }
      let operations = written + written.map { world.again($0) }
      let position = folder.appendingPathComponent("\(round)")
      try FileManager.default.createDirectory(at: position, withIntermediateDirectories: true)
      for opened in try Self.stores(in: position) {
        let comment: Comment = "seed \(seed), \(opened.name)"
        let definitions = written.map { world.definition(of: $0) }
        let asked = Array(zip(definitions + definitions, operations))
        for (definition, operation) in asked {
          let answer = world.answer(to: operation)
          try await definition.use { query in
            let query = query.init(operation.variables)
            let response = try await opened.store.publish(
              body: Data(answer.description.utf8), of: query)
            let reading = try await opened.store.load(query)
            #expect(reading.misses == [], comment)
            #expect(reading.data == response.data, comment)
            #expect(reading.data?.jsonValue == answer["data"], comment)
          }
        }
        // All responses agree, so none has overwritten data of another.
        let stores = try [opened.store] + (opened.reopen.map { [try $0()] } ?? [])
        for store in stores {
          for (definition, operation) in asked {
            try await expect(
              operation, definition, in: store, world.answer(to: operation), comment)
          }
        }
      }
    }
  }

  @Test func readsBackTheWritesOfATransaction() async throws {
    for round in 0..<60 {
      let seed = freshSeed &+ UInt64(round)
      var world = RandomWorld(seed: seed)
      let operation = world.operation()
      let answer = world.answer(to: operation)
      try await world.definition(of: operation).use { query in
        let query = query.init(operation.variables)
        let data = try ResponseDecoder().decode(Array(answer.description.utf8), as: query).data
        let store = ApolloStore()
        try await store.withinReadWriteTransaction { transaction in
          try transaction.write(data: try #require(data), for: query)
          #expect(try transaction.read(query: query) == data, "seed \(seed)")
        }
        let reading = try await store.load(query)
        #expect(reading.data == data && reading.misses == [], "seed \(seed)")
      }
    }
  }
}
