import Apollo
import ApolloAPI
import ApolloCache
import ApolloObservation
import ApolloTransport
import Foundation
import Observation
import TestOperations
import Testing

/// The contents of a query when its calls come in an unusual order.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ObservableQueryMeetingTests {
  private typealias HeroQuery = HeroAPI.HeroQuery

  /// A client whose cache has a hero. Its server has had one request.
  private func client(_ server: HeldHero) async throws -> ApolloClient {
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: HeroQuery())
    await server.respond("R2-D2", to: 1)
    _ = try await first
    return client
  }

  /// As after a cancellation, nothing was shown before.
  @Test func aRefetchThatIsTheFirstCallAndFailsShowsTheCache() async throws {
    let server = HeldHero()
    let client = try await client(server)
    let query = ObservableQuery(HeroQuery(), client: client)
    let refetch = query.refetch()
    await server.fail(2)
    await refetch.value
    #expect(query.error != nil && !query.isLoading)
    #expect(query.data?.hero?.name == "R2-D2")
  }

  @Test func aRefetchThatIsTheFirstCallAndIsCancelledShowsTheCache() async throws {
    let server = HeldHero()
    let client = try await client(server)
    let query = ObservableQuery(HeroQuery(), client: client)
    let refetch = query.refetch()
    await server.untilSent(2)
    refetch.cancel()
    await refetch.value
    #expect(query.error == nil && !query.isLoading)
    #expect(query.data?.hero?.name == "R2-D2")
  }

  @Test func anotherQueryEndsTheRefetchOfTheFormerOne() async throws {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: try await client(server))
    await wait { query.data != nil && !query.isLoading }
    let refetch = query.refetch()
    await server.untilSent(2)
    query.query = HeroQuery(name: "Luke")
    await refetch.value
    #expect(query.data == nil && query.isLoading)
    await server.respond("former", to: 2)
    await server.respond("Luke", to: 3)
    await wait { !query.isLoading }
    #expect(query.data?.hero?.name == "Luke" && query.error == nil)
  }

  private nonisolated static let busy = #","errors":[{"message":"busy","path":["hero","friends"]}]"#
  private nonisolated static let deprecated = #","errors":[{"message":"deprecated"}]"#

  /// The data stays equal. But a property with `@catch` is a `.failure` beside the error of its
  /// field, and a `.success` of `nil` without it.
  @Test(arguments: [(Self.busy, "", true), ("", Self.busy, true), (Self.deprecated, "", false)])
  func observersOfTheDataAreNotifiedOfTheErrorsOfItsFields(
    first: String, second: String, areNotified: Bool
  ) async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    #expect(query.isLoading)
    await server.respond("R2-D2", first, to: 1)
    await wait { query.data != nil && !query.isLoading }
    #expect(query.errors.isEmpty == first.isEmpty)
    nonisolated(unsafe) var isNotified = false  // because all changes are made on the main actor
    withObservationTracking {
      _ = query.data
    } onChange: {
      isNotified = true
    }
    let refetch = query.refetch()
    await server.respond("R2-D2", second, to: 2)
    await refetch.value
    #expect(isNotified == areNotified)
    #expect(query.errors.isEmpty == second.isEmpty)
    let errors = query.data?.hero?.errors(forKey: "friends").map(\.message)
    #expect(errors == (second == Self.busy ? ["busy"] : []))
  }

  /// The errors of the data that remains are its own, and not those of the newest response.
  @Test func dataAfterErrorsAloneReportsTheErrorsOfItsFields() async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    #expect(query.isLoading)
    await server.respond("R2-D2", to: 1)
    await wait { query.data != nil && !query.isLoading }
    let errorsAlone = query.refetch()
    await server.respond(json: #"{"data":null\#(Self.busy)}"#, to: 2)
    await errorsAlone.value
    #expect(query.errors.map(\.message) == ["busy"])
    #expect(query.data?.hero?.errors(forKey: "friends").isEmpty == true)
    let refetch = query.refetch()
    await server.respond("R2-D2", Self.busy, to: 3)
    await refetch.value
    #expect(query.data?.hero?.errors(forKey: "friends").map(\.message) == ["busy"])
  }

  /// Unlike errors alone, the null is in the cache, which the data follows.
  @Test func aNullThatLeavesNoDataRemovesTheData() async {
    let server = HeldHero()
    let query = ObservableQuery(
      RequiredHeroQuery(), client: ApolloClient(networkTransport: server))
    #expect(query.isLoading)
    await server.respond(json: #"{"data":{"hero":{"__typename":"Hero","id":"1"}}}"#, to: 1)
    await wait { query.data != nil && !query.isLoading }
    let refetch = query.refetch()
    await server.respond(json: #"{"data":{"hero":null}}"#, to: 2)
    await refetch.value
    #expect(query.data == nil && query.errors.count == 1)
  }
}

/// `query RequiredHero { hero @required(action: NONE) { __typename id } }`
private struct RequiredHeroQuery: GraphQLQuery {
  static let operationName: String = "RequiredHero"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query RequiredHero { hero { __typename id } }"))
  static let __selections = Selections(
    #"Query {hero Hero {__typename String! id ID!} @required(action: "NONE")}"#)

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = RequiredHeroQuery.__selections[0]
  }
}
