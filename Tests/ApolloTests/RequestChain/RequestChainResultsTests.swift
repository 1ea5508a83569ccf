import TestOperations
import Testing

@testable import Apollo

/// The results of a chain of steps, which may complete on several threads at once.
@Suite(.timeLimit(.minutes(10)))
struct RequestChainResultsTests {
  private struct Failure: Error {}

  private let response = GraphQLResponse<HeroAPI.HeroQuery>(data: nil, source: .server)

  /// Another step completes before the first one has ended the call.
  @Test func noOtherResultFollowsTheLastOne() async throws {
    for expectation in [RequestChainResults<HeroAPI.HeroQuery>.Expectation.one, .cacheAndServer] {
      let results = RequestChainResults<HeroAPI.HeroQuery>(expectation)
      #expect(results.put(response))
      #expect(results.put(response))
      #expect(try await results.next()?.source == .server)
      #expect(try await results.next()?.source == nil)
    }
  }

  /// Another step fails, or the call is cancelled, before the first one has ended the call.
  @Test func noErrorFollowsTheLastResult() async throws {
    for expectation in [RequestChainResults<HeroAPI.HeroQuery>.Expectation.one, .cacheAndServer] {
      let results = RequestChainResults<HeroAPI.HeroQuery>(expectation)
      #expect(results.put(response))
      results.end(Failure())
      #expect(try await results.next()?.source == .server)
      #expect(try await results.next()?.source == nil)
    }
  }
}
