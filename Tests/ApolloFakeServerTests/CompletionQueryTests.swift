import Apollo
import ApolloAPI
import ApolloFakeServer
import Foundation
import SeededRandom
import ShapesAPI
import StarWarsAPI
import Testing

/// Random parts of generated queries, which a server executes that validates every document.
@Suite(.timeLimit(.minutes(10))) struct CompletionQueryTests {
  private static func schema(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(path)
  }

  private let shapes: FakeServer
  private let starWars: FakeServer

  init() throws {
    shapes = try FakeServer(schemaFiles: [Self.schema("Tests/ShapesAPI/GraphQL/schema.graphqls")])
    starWars = try FakeServer(
      schemaFiles: [Self.schema("Examples/StarWars/GraphQL/schema.graphqls")])
  }

  // MARK: - Texts

  @Test func theTextOfEachPartIsValidAndItsSelectionsReadTheResponse() throws {
    var random = SeededGenerator(seed: freshSeed)
    var count = 0
    for _ in 0..<60 {
      try check(LeavesQuery(), shapes, reads: false, &random, &count)
      try check(LeafListsQuery(), shapes, reads: false, &random, &count)
      try check(ObjectsQuery(), shapes, &random, &count)
      for more in [false, true] {
        for less in [false, true] {
          let query = ThingsQuery(
            more: more, less: less, first: 3, colors: [.case(.red), .case(.blue)])
          try check(query, shapes, &random, &count)
        }
      }
      try check(HeroNameQuery(), starWars, &random, &count)
      try check(HeroAndFriendsQuery(episode: .some(.case(.jedi))), starWars, &random, &count)
      try check(SearchQuery(text: "a"), starWars, &random, &count)
    }
    print("\(count) parts")
    #expect(count > 150)
  }

  /// Checks a random part of a query. The scalars of some queries are not those of the server, so
  /// their responses are not read.
  private func check<Query: GraphQLQuery>(
    _ query: Query, _ server: FakeServer, reads: Bool = true, _ random: inout SeededGenerator,
    _ count: inout Int
  ) throws {
    let text = try #require(Query.operationDocument.definition?.queryDocument)
    let whole = try response(to: text, of: query, server)
    guard let part = Self.part(of: whole, &random), !part.fields.isEmpty else { return }
    // The number of parts is limited, and one may be all.
    guard let completion = Query.completion(of: part) else { return }
    count += 1
    let comment = "\(completion.text), seed \(freshSeed)"
    let some = try response(to: completion.text, of: query, server)
    Self.expect(some, isPartOf: whole, comment)
    Self.expect(part, isIn: some, comment)
    guard reads else { return }
    let body = Data(JSONValue.object(["data": some]).description.utf8)
    let decoded = try ResponseDecoder().decode(
      body, as: completion.layout, of: query, observer: nil)
    #expect(decoded.errors == nil)
  }

  private func response<Query: GraphQLQuery>(
    to text: String, of query: Query, _ server: FakeServer
  ) throws -> JSONValue {
    // Variables that the text does not have are refused by some servers.
    var variables: [String: JSONValue] = [:]
    for field in query.__variables?.fields ?? [] where text.contains("$\(field.name):") {
      variables[field.name] = field.value
    }
    let response = server.respond(
      to: FakeServerRequest(text, operationName: Query.operationName, variables: variables))
    let json = try JSONValue(jsonBytes: Data(response.text.utf8))
    #expect(json["errors"] == nil, "\(text): \(response.text.prefix(500)), seed \(freshSeed)")
    return try #require(json["data"])
  }

  /// Returns a random part of what a response has.
  private static func part(of value: JSONValue, _ random: inout SeededGenerator) -> OperationPart? {
    switch value {
    case .object(let members):
      if Int.random(in: 0..<12, using: &random) == 0 { return OperationPart(isWhole: true) }
      var part = OperationPart(keys: members["id"] == nil ? [] : ["id"])
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        guard key != "__typename", Int.random(in: 0..<3, using: &random) == 0 else { continue }
        part.fields[key] = Self.part(of: value, &random)
      }
      // An object of which nothing is selected has no text.
      return part.fields.isEmpty && part.keys.isEmpty ? OperationPart(isWhole: true) : part
    case .array(let elements):
      // One element stands for all, which have fields of several types.
      return elements.randomElement(using: &random).map { part(of: $0, &random) }
        ?? OperationPart(isWhole: true)
    default: return OperationPart(isWhole: true)
    }
  }

  private static func expect(_ part: JSONValue, isPartOf whole: JSONValue, _ comment: String) {
    switch (part, whole) {
    case (.object(let members), .object(let all)):
      for (key, value) in members {
        guard let other = all[key] else {
          Issue.record("'\(key)' is not in the whole response: \(comment)")
          continue
        }
        expect(value, isPartOf: other, comment)
      }
    case (.array(let elements), .array(let all)):
      #expect(elements.count == all.count, "\(comment)")
      for (element, other) in zip(elements, all) { expect(element, isPartOf: other, comment) }
    default: #expect(part == whole, "\(comment)")
    }
  }

  /// At least one object has each field.
  private static func expect(_ part: OperationPart, isIn value: JSONValue, _ comment: String) {
    for (key, inside) in part.fields {
      let values = objects(in: value).compactMap { $0[key] }
      #expect(!values.isEmpty, "'\(key)' is missing: \(comment)")
      if !inside.fields.isEmpty { expect(inside, isIn: .array(values), comment) }
    }
  }

  private static func objects(in value: JSONValue) -> [[String: JSONValue]] {
    switch value {
    case .object(let members): [members]
    case .array(let elements): elements.flatMap(objects)
    default: []
    }
  }

  // MARK: - Calls

  /// A cache that lacks any records and fields has everything after a call, as the server has it.
  @Test(arguments: [true, false])
  func aCallCompletesWhatTheCacheHas(objectsHaveKeys: Bool) async throws {
    var random = SeededGenerator(seed: freshSeed)
    var counts = [0, 0, 0]
    var lookupCount = 0
    for _ in 0..<40 {
      lookupCount += try await complete(
        ObjectsQuery(), shapes, objectsHaveKeys, &random, &counts)
      lookupCount += try await complete(
        ThingsQuery(more: .random(using: &random), less: .random(using: &random), first: 3),
        shapes, objectsHaveKeys, &random, &counts)
      let count = try await complete(
        HeroAndFriendsQuery(episode: .some(.case(.jedi))), starWars, objectsHaveKeys, &random,
        &counts)
      #expect(count == 0)
    }
    print("Requests for one call: none \(counts[0]), one \(counts[1]), two \(counts[2])")
    print("\(lookupCount) of them look objects up")
    #expect(objectsHaveKeys ? lookupCount > 10 : lookupCount == 0, "seed \(freshSeed)")
    #expect(counts[1] > 9 * counts[2], "seed \(freshSeed)")
  }

  /// Returns the number of requests that look objects up.
  private func complete<Query: GraphQLQuery>(
    _ query: Query, _ server: FakeServer, _ objectsHaveKeys: Bool,
    _ random: inout SeededGenerator, _ counts: inout [Int]
  ) async throws -> Int {
    var configuration = ApolloStore.Configuration()
    if objectsHaveKeys {
      configuration.cacheKeyForObject = { object in
        guard let id = object["id"]?.stringValue, let type = object["__typename"]?.stringValue
        else { return nil }
        return "\(type):\(id)"
      }
    }
    let cache = InMemoryNormalizedCache()
    let whole = try await ApolloClient(
      networkTransport: FakeServerTransport(server),
      store: ApolloStore(cache: cache, configuration: configuration)
    ).fetch(query: query, cachePolicy: .networkOnly)
    let keys = Set(try #require(cache.recordKeys()))
    var records: [Record] = []
    for (key, record) in cache.loadRecords(forKeys: keys).sorted(by: { $0.key < $1.key }) {
      if key != .queryRoot, Int.random(in: 0..<20, using: &random) == 0 { continue }
      var rest = Record(key: key)
      for (field, value) in record.fields.sorted(by: { "\($0.0)" < "\($1.0)" })
      where field == .typename || Int.random(in: 0..<8, using: &random) != 0 {
        rest[field] = value
      }
      records.append(rest)
    }
    let transport = NotingTransport(FakeServerTransport(server))
    let client = ApolloClient(
      networkTransport: transport,
      store: ApolloStore(
        cache: InMemoryNormalizedCache(records: RecordSet(records)), configuration: configuration))
    var request = RequestConfiguration()
    request.fetchesMissingFields = true
    let response = try await client.fetch(query: query, requestConfiguration: request)
    #expect(response.data == whole.data, "seed \(freshSeed)")
    #expect(response.errors == nil && response.isComplete)
    let texts = transport.texts.get()
    #expect(response.source == (texts.isEmpty ? .cache : .server))
    counts[min(texts.count, 2)] += 1
    if texts.count > 1 { print("\(texts), seed \(freshSeed)") }
    #expect(texts.count <= 2)
    let again = try await client.fetch(query: query, requestConfiguration: request)
    #expect(again.source == .cache && again.data == whole.data, "seed \(freshSeed)")
    return texts.count { $0.contains(": find(id: $find") }
  }
}

/// A transport that notes the text of each part, or `whole`.
private final class NotingTransport: NetworkTransport {
  let texts = Lock<[String]>([])
  private let base: FakeServerTransport

  init(_ base: FakeServerTransport) { self.base = base }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    texts.withLock { $0.append(request.facts.completion?.text ?? "whole") }
    return try await base.send(request)
  }
}
