import Apollo
import ApolloAPI
import ApolloCache
import ApolloObservation
import ApolloTransport
import Foundation
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
}
