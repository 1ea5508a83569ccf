import Apollo
import ApolloFakeServer
import ApolloTestSupport
import Foundation
import StarWarsAPI
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10))) struct FakeServerTransportTests {
  private static let schemaFile = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/StarWars/GraphQL/schema.graphqls")

  let server: FakeServer
  let client: ApolloClient
  let clock = TestClock()

  init() throws {
    server = try FakeServer(schemaFiles: [Self.schemaFile])
    client = ApolloClient(networkTransport: FakeServerTransport(server, clock: clock))
  }

  @Test func modelsReadEveryOperation() async throws {
    let hero = try await client.fetch(query: HeroAndFriendsQuery(episode: .some(.case(.empire))))
    #expect(hero.errors == nil && hero.data?.hero?.friends.count == 3)
    let name = try await client.fetch(query: HeroNameQuery(episode: .some(.case(.empire))))
    #expect(name.data?.hero?.name == hero.data?.hero?.fragments.characterSummary.name)
    let search = try await client.fetch(query: SearchQuery(text: "a"))
    #expect(search.errors == nil && search.data?.search.count == 3)
  }

  @Test func aMutationChangesWhatAWatcherShows() async throws {
    let first = try await client.fetch(query: HeroNameQuery(), cachePolicy: .networkOnly)
    let id = try #require(first.data?.hero?.id)
    let renamed = try await client.perform(
      mutation: RenameCharacterMutation(id: id, name: "Jar Jar"))
    #expect(renamed.data?.renameCharacter?.name == "Jar Jar")
    let cached = try await client.fetch(query: HeroNameQuery(), cachePolicy: .cacheOnly)
    #expect(cached?.data?.hero?.name == "Jar Jar")
    let second = try await client.fetch(query: HeroNameQuery(), cachePolicy: .networkOnly)
    #expect(second.data?.hero?.name == "Jar Jar")
  }

  @Test func aCreatedObjectHasItsInput() async throws {
    let created = try await client.perform(
      mutation: CreateReviewMutation(
        episode: .case(.jedi), review: ReviewInput(stars: 5, commentary: .some("Fine."))))
    #expect(created.errors == nil)
    #expect(created.data?.createReview.stars == 5)
    #expect(created.data?.createReview.commentary == "Fine.")
  }

  @Test func rulesAreThoseOfTheServer() async throws {
    server.set("Luke", at: "hero.name")
    #expect(
      try await client.fetch(query: HeroNameQuery(), cachePolicy: .networkOnly).data?.hero?.name
        == "Luke")
    server.fail("Not now.", at: "hero")
    let failed = try await client.fetch(query: HeroNameQuery(), cachePolicy: .networkOnly)
    #expect(failed.errors?.map(\.message) == ["Not now."])
  }

  @Test func delaysAreThoseOfTheClock() async throws {
    server.delay(.seconds(5), at: "hero.name")
    let call = Task { [client] in try await client.fetch(query: HeroNameQuery()) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(try await call.value.data?.hero != nil)
  }

  @Test func aSubscriptionEndsAfterItsEvents() async throws {
    var stars: [Int?] = []
    for try await event in client.subscribe(subscription: ReviewAddedSubscription()) {
      #expect(event.errors == nil)
      stars.append(event.data?.reviewAdded.stars)
    }
    #expect(stars.count == 3 && !stars.contains(nil))
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func anEventObeysARuleThatIsSetBeforeItsTime(delay: Duration) async throws {
    server.sendEvents(after: [.seconds(5)], at: "reviewAdded")
    server.set(1, at: "reviewAdded.stars")
    server.delay(delay, at: "reviewAdded")
    let events = Task { [client] in
      var stars: [Int?] = []
      for try await event in client.subscribe(subscription: ReviewAddedSubscription()) {
        stars.append(event.data?.reviewAdded.stars)
      }
      return stars
    }
    await clock.waitForSleepers()
    server.set(2, at: "reviewAdded.stars")
    clock.advance(by: .seconds(5) + delay)
    #expect(try await events.value == [2])
  }

  @Test func deferredPartsAreMerged() async throws {
    let schema = """
      type Query { hero: Hero }
      type Hero { id: ID! name: String! friends: [Hero!] }
      """
    let server = try FakeServer(schema: schema)
    let client = ApolloClient(networkTransport: FakeServerTransport(server))
    var responses = 0
    var last: HeroAPI.DeferredHeroQuery.Data?
    for try await response in client.fetch(
      query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
    {
      #expect(response.errors == nil)
      responses += 1
      last = response.data
    }
    #expect(responses == 2)
    #expect(last?.hero != nil)
  }

  @Test func aFileIsTheNameOfItsVariable() async throws {
    let server = try FakeServer(
      schema: """
        type Query { a: Int }
        scalar Upload
        type Mutation { upload(file: Upload!): Hero }
        type Hero { id: ID! name: String! }
        """)
    let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data())
    let response = try await FakeServerTransport(server)
      .upload(OperationRequest(HeroAPI.UploadMutation()), files: [file])
    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(#"{"data":{"upload":{"#))
  }

  @Test func recordedResponsesOfTheServerArePlayedBack() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }  // nothing depends on it
    let recorder = try RecordingTransport(FakeServerTransport(server), file: file)
    let query = HeroAndFriendsQuery(episode: .none)
    let live = try await ApolloClient(networkTransport: recorder).fetch(query: query)
    let replay = try ReplayTransport(file: file)
    let played = try await ApolloClient(networkTransport: replay).fetch(query: query)
    #expect(live.data == played.data && live.data != nil)
  }
}
