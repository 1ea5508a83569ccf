import Apollo
import ApolloAPI
import ApolloSQLite
import Foundation
import LoopbackServer
import StarWarsAPI
import Testing

/// `apollo-cli run --cache FILE`: where the response comes from, and the file that programs share.
@Suite(.timeLimit(.minutes(10)))
struct CachedRunTests {
  private static let hero = #"{"__typename":"Droid","id":"2001","name":"R2-D2"}"#
  private static let response = #"{"data":{"hero":\#(hero)}}"#
  private static let fromCache = "From the cache 'c.sqlite', "
  private static let fromServer = "From the server; written to 'c.sqlite'.\n"

  /// The project of the Star Wars example and its server.
  private struct Case {
    let project: Project
    let server: LoopbackServer

    func run(_ arguments: String...) async throws -> Outcome {
      try await run(arguments)
    }

    func run(_ arguments: [String]) async throws -> Outcome {
      try await project.apollo(
        [
          "run", "--compact", "--string",
          project.configuration(endpoint: server.url().absoluteString),
        ] + arguments)
    }

    var path: String { project.folder.appendingPathComponent("c.sqlite").path }
  }

  private func withCase(
    _ script: @escaping LoopbackServer.Script = { _, reply in reply.json(response) },
    _ body: (Case) async throws -> Void
  ) async throws {
    let server = try LoopbackServer(script)
    defer { server.stop() }
    try await withProject { try await body(Case(project: $0, server: server)) }
  }

  // MARK: - One file for the tool and for programs

  @Test func aProgramReadsWhatTheToolHasWritten() async throws {
    let response = #"""
      {"data":{"hero":{"__typename":"Human","id":"1000","name":"Luke","appearsIn":["JEDI"],"height":5.6,"friends":[{"__typename":"Droid","id":"2001","name":"R2-D2","appearsIn":["JEDI"]}]}}}
      """#
    try await withCase({ _, reply in reply.json(response) }) { test in
      let outcome = try await test.run(
        "GraphQL/HeroAndFriends.graphql", "--cache", "c.sqlite", "--variables",
        #"{"episode":"JEDI"}"#)
      #expect(outcome.status == 0 && outcome.errors == Self.fromServer, "\(outcome)")
      #expect(outcome.output == response + "\n")
      // With the fields that the cache needs, as a program sends it.
      let sent = String(decoding: try #require(test.server.requests.first).body, as: UTF8.self)
      #expect(sent.contains("friends { __typename ...CharacterSummary }"), "\(sent)")
      let store = ApolloStore(
        cache: try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: test.path)))
      let query = HeroAndFriendsQuery(episode: .case(.jedi))
      let data = try #require(try await store.load(query).data)
      #expect(data.hero?.asHuman?.height == 5.6)
      #expect(data.hero?.friends.first?.fragments.characterSummary.name == "R2-D2")
      let records = try await test.project.apollo("cache", "list", "c.sqlite").output
      for key in ["Droid:2001", "Human:1000", "QUERY_ROOT"] {
        #expect(records.contains(#"{"key":"\#(key)","#), "\(records)")
      }
      #expect(records.contains(#""operations":["HeroAndFriends"]"#))
    }
  }

  @Test func theToolReadsWhatAProgramHasWritten() async throws {
    try await withCase { test in
      do {
        let store = ApolloStore(
          cache: try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: test.path)))
        try await store.publish(
          body: Data(Self.response.utf8), of: HeroNameQuery(episode: .case(.empire)))
      }
      let outcome = try await test.run(
        "GraphQL/HeroName.graphql", "--cache", "c.sqlite", "--variables",
        #"{"episode":"EMPIRE"}"#)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output == Self.response + "\n")
      #expect(outcome.errors == "From the cache 'c.sqlite'.\n")
      #expect(test.server.requests.isEmpty)
    }
  }

  // MARK: - Policies

  @Test func eachPolicyAsksTheCacheAndTheServerInItsOrder() async throws {
    try await withCase { test in
      func ask(_ policy: String?) async throws -> (Outcome, requests: Int) {
        let before = test.server.requests.count
        let option = policy.map { ["--cache-policy", $0] } ?? []
        let outcome = try await test.run(
          ["GraphQL/HeroName.graphql", "--cache", "c.sqlite"] + option)
        return (outcome, test.server.requests.count - before)
      }
      // Before anything is in the cache.
      let (absent, _) = try await ask("cacheOnly")
      #expect(absent.status == 2 && absent.errors.contains("There is no file"), "\(absent)")
      let (first, firstRequests) = try await ask(nil)
      #expect(first.errors == Self.fromServer && firstRequests == 1, "\(first)")
      let one = Self.response + "\n"
      let cases: [(policy: String?, requests: Int, responses: Int, fromCache: Bool)] = [
        (nil, 0, 1, true), ("cacheFirst", 0, 1, true), ("cacheOnly", 0, 1, true),
        ("networkOnly", 1, 1, false), ("networkFirst", 1, 1, false),
        ("cacheAndNetwork", 1, 2, true), ("revalidateCache", 0, 1, true),
      ]
      for (policy, requests, responses, isFromCache) in cases {
        let (outcome, count) = try await ask(policy)
        #expect(outcome.status == 0 && count == requests, "\(policy ?? ""): \(outcome)")
        #expect(outcome.output == String(repeating: one, count: responses), "\(policy ?? "")")
        #expect(outcome.errors.hasPrefix(Self.fromCache) == isFromCache, "\(outcome)")
        #expect(outcome.errors.hasSuffix(Self.fromServer) == (requests > 0), "\(outcome)")
      }
      test.server.stop()
      let (last, _) = try await ask("networkFirst")
      #expect(last.status == 0 && last.output == one, "\(last)")
      #expect(last.errors.contains("warning: Cannot connect to"), "\(last)")
      #expect(last.errors.contains(Self.fromCache), "\(last)")
    }
  }

  @Test func missingDataIsNamed() async throws {
    try await withCase { test in
      _ = try await test.run("GraphQL/HeroName.graphql", "--cache", "c.sqlite")
      let outcome = try await test.run(
        "GraphQL/HeroName.graphql", "--cache", "c.sqlite", "--cache-policy", "cacheOnly",
        "--variables", #"{"episode":"JEDI"}"#)
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(
        outcome.errors.contains(
          #"the record 'QUERY_ROOT' has no field 'hero(episode:"JEDI")'. Fetch it first."#),
        "\(outcome)")
    }
  }

  @Test func mutationsAndEventsAreWrittenToTheCache() async throws {
    try await withCase({ request, reply in
      let body = String(decoding: request.body, as: UTF8.self)
      if body.contains("subscription ") {
        reply.beginChunks(type: "text/event-stream")
        reply.chunk(
          #"data: {"data":{"reviewAdded":{"__typename":"Review","id":"7","stars":5,"commentary":null}}}"#
            + "\n\nevent: complete\ndata:\n\n")
        reply.endChunks()
      } else {
        reply.json(
          #"{"data":{"renameCharacter":{"__typename":"Human","id":"1000","name":"Lucas"}}}"#)
      }
    }) { test in
      let renamed = try await test.run(
        "GraphQL/RenameCharacter.graphql", "--cache", "c.sqlite", "--variables",
        #"{"id":"1000","name":"Lucas"}"#)
      #expect(renamed.status == 0 && renamed.errors == Self.fromServer, "\(renamed)")
      let events = try await test.run(
        "GraphQL/ReviewAdded.graphql", "--cache", "c.sqlite", "--variables",
        #"{"episode":"JEDI"}"#)
      #expect(events.status == 0 && events.errors == Self.fromServer, "\(events)")
      let dump = try await test.project.apollo("cache", "dump", "c.sqlite").output
      #expect(dump.contains(#""name":"Lucas""#), "\(dump)")
      #expect(dump.contains(#""stars":5"#), "\(dump)")
    }
  }

  /// The document that is sent has no directive that changes lists, and not its variables.
  @Test func variablesWithListsAreNotSent() async throws {
    try await withCase({ _, reply in
      reply.json(
        #"{"data":{"renameCharacter":{"__typename":"Human","id":"1000","name":"Lucas"}}}"#)
    }) { test in
      try test.project.write(
        """
        mutation Forget($id: ID!, $name: String!, $lists: [ID!]) {
          renameCharacter(id: $id, name: $name) @deleteRecord(connections: $lists) { name }
        }
        """, to: "forget.graphql")
      let outcome = try await test.run(
        "forget.graphql", "--cache", "c.sqlite", "--variables",
        #"{"id":"1000","lists":["heroes"],"name":"Lucas"}"#)
      #expect(outcome.status == 0 && outcome.errors == Self.fromServer, "\(outcome)")
      let body = try JSONValue(jsonBytes: try #require(test.server.requests.first).body)
      #expect(body["query"]?.stringValue?.contains("lists") == false, "\(body)")
      #expect(body["variables"] == ["id": "1000", "name": "Lucas"])
      let records = try await test.project.apollo("cache", "list", "c.sqlite").output
      #expect(!records.contains("Human:1000"), "\(records)")
    }
  }

  // MARK: - Failures

  @Test func aResponseThatDoesNotFitIsPrintedAndNotWritten() async throws {
    let response = #"{"data":{"hero":{"__typename":"Droid","id":"2001"}}}"#
    try await withCase({ _, reply in reply.json(response) }) { test in
      let outcome = try await test.run("GraphQL/HeroName.graphql", "--cache", "c.sqlite")
      #expect(outcome.status == 1 && outcome.output == response + "\n", "\(outcome)")
      #expect(
        outcome.errors.hasPrefix("warning: The response was not written to 'c.sqlite': "),
        "\(outcome)")
      #expect(try await test.project.apollo("cache", "list", "c.sqlite").output.isEmpty)
    }
  }

  @Test func mistakesAreExplainedBeforeAnythingIsSent() async throws {
    try await withCase { test in
      try test.project.write("no cache, and long enough that SQLite looks at it", to: "text")
      let query = "GraphQL/HeroName.graphql"
      let cases: [(arguments: [String], message: String)] = [
        ([query, "--cache-policy", "cacheOnly"], "--cache-policy needs a cache."),
        ([query, "--cache", "c", "--cache-policy", "x"], "Use one of cacheFirst, networkFirst,"),
        ([query, "--cache", "redis://host"], "needs the path of a SQLite file, not a URL."),
        ([query, "--cache", ""], "--cache needs the path of a SQLite file, and it is empty."),
        ([query, "--cache", "text"], "is not a cache: it is no SQLite database."),
        ([query, "--cache", "none/c"], "Check that its folder exists, and the permissions"),
        ([query, "--cache", "."], "is not a file."),
        (
          ["GraphQL/RenameCharacter.graphql", "--cache", "c", "--cache-policy", "cacheFirst"],
          "A mutation is always sent, so --cache-policy cannot be 'cacheFirst'."
        ),
        (
          ["GraphQL/ReviewAdded.graphql", "--cache", "c", "--cache-policy", "cacheOnly"],
          "A subscription is always sent"
        ),
      ]
      for (arguments, message) in cases {
        let outcome = try await test.run(arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(arguments): \(outcome)")
        #expect(outcome.errors.contains(message), "\(arguments): \(outcome)")
      }
      #expect(test.server.requests.isEmpty)
      let unnamed = try await test.project.apollo(
        ["run", "-", "--cache", "c"], input: "{ hero { name } }")
      #expect(unnamed.errors.contains("--cache needs the name of the operation"), "\(unnamed)")
      let elsewhere = try await withFiles(["q.graphql": "query Q { hero { name } }"]) {
        try await $0.apollo(
          "run", "q.graphql", "--cache", "c", "--endpoint", test.server.url().absoluteString)
      }
      #expect(elsewhere.errors.contains("--cache needs the schema of the project"), "\(elsewhere)")
    }
  }

  @Test func keysOfAnOwnConfigurationAreMentioned() async throws {
    try await withCase { test in
      let path = "Sources/StarWarsAPI/Schema/SchemaConfiguration.swift"
      let code = try test.project.text(of: path)
      let standard = try await test.run("GraphQL/HeroName.graphql", "--cache", "c.sqlite")
      #expect(standard.errors == Self.fromServer, "\(standard)")
      try test.project.write(
        code.replacingOccurrences(of: #"object["id"]"#, with: #"object["name"]"#), to: path)
      let own = try await test.run("GraphQL/HeroName.graphql", "--cache", "c.sqlite")
      #expect(own.errors.contains("SchemaConfiguration.swift' has code of your own"), "\(own)")
    }
  }
}
