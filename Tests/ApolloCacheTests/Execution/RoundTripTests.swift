import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import Testing

/// What is read back from a cache equals what was decoded, for random operations and answers.
@Suite struct RoundTripTests {
  private static func stores() -> [(String, ApolloStore)] {
    [
      ("memory", ApolloStore()), ("a user's own", ApolloStore(cache: DictionaryCache([:]))),
      ("a chain", ApolloStore(cache: ChainedNormalizedCache(InMemoryNormalizedCache()))),
    ]
  }

  @Test func whatIsReadBackEqualsWhatWasDecoded() async throws {
    for round in 0..<60 {
      let seed = freshSeed &+ UInt64(round)
      var world = RandomWorld(seed: seed)
      let operations = (0..<4).map { _ in world.operation() }
      for (name, store) in Self.stores() {
        let comment: Comment = "seed \(seed), \(name)"
        var definitions: [DynamicDefinition] = []
        for operation in operations {
          let definition = DynamicDefinition(
            Selections(operation.literal, leaves: [JSONValue.self]), types: RandomWorld.types)
          definitions.append(definition)
          let answer = world.answer(to: operation)
          try await definition.use { query in
            let query = query.init(operation.variables)
            let response = try await store.publish(body: Data(answer.description.utf8), of: query)
            let reading = try await store.load(query)
            #expect(reading.misses == [], comment)
            #expect(reading.data == response.data, comment)
            #expect(reading.data?.jsonValue == answer["data"], comment)
          }
        }
        // All answers agree, so none has spoiled another.
        for (definition, operation) in zip(definitions, operations) {
          try await definition.use { query in
            let reading = try await store.load(query.init(operation.variables))
            #expect(reading.misses == [], comment)
            #expect(reading.data?.jsonValue == world.answer(to: operation)["data"], comment)
          }
        }
      }
    }
  }

  @Test func whatATransactionWritesIsReadBack() async throws {
    for round in 0..<60 {
      let seed = freshSeed &+ UInt64(round)
      var world = RandomWorld(seed: seed)
      let operation = world.operation()
      let definition = DynamicDefinition(
        Selections(operation.literal, leaves: [JSONValue.self]), types: RandomWorld.types)
      let answer = world.answer(to: operation)
      try await definition.use { query in
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
