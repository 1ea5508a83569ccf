import ApolloAPI
import Foundation
import TestOperations
import Testing

@testable import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The headers of requests whose response may arrive in parts.
struct PartsRequestTests {
  private struct StreamQuery: GraphQLQuery {
    typealias Data = HeroAPI.HeroQuery.Data
    static let operationName = "Stream"
    static let __selections = HeroAPI.HeroQuery.__selections
    static let operationDocument = OperationDocument(
      definition: .init("query Stream { hero { friends @stream(initialCount: 1) { name } } }"))
  }

  private struct NoStreamQuery: GraphQLQuery {
    typealias Data = HeroAPI.HeroQuery.Data
    static let operationName = "NoStream"
    static let __selections = HeroAPI.HeroQuery.__selections
    static let operationDocument = OperationDocument(
      definition: .init(
        "query NoStream { stream hero @streamable { name } other @include(if: true) }"))
  }

  private func request(
    _ operation: any GraphQLOperation, headers: [String: String] = [:],
    transportHeaders: [String: String] = [:], format: HTTPSubscriptionFormat = .multipart
  ) throws -> URLRequest {
    var factory = HTTPRequestFactory(endpoint: try #require(URL(string: "http://localhost/")))
    factory.additionalHeaders = transportHeaders
    factory.subscriptionFormat = format
    return try factory.urlRequest(
      for: OperationRequest(operation, additionalHeaders: headers))
  }

  @Test func acceptsThePartsOfDeferAndStream() throws {
    for operation: any GraphQLOperation in [HeroAPI.DeferredHeroQuery(), StreamQuery()] {
      let accept = try request(operation).value(forHTTPHeaderField: "Accept")
      #expect(
        accept
          == "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9"
      )
    }
    for operation: any GraphQLOperation in [HeroAPI.HeroQuery(), NoStreamQuery()] {
      let accept = try request(operation).value(forHTTPHeaderField: "Accept")
      #expect(accept == "application/graphql-response+json, application/json;q=0.9")
    }
  }

  @Test(arguments: [HTTPSubscriptionFormat.multipart, .serverSentEvents])
  func asksForPartsThatAreNotCompressed(_ format: HTTPSubscriptionFormat) throws {
    for operation: any GraphQLOperation in [
      HeroAPI.DeferredHeroQuery(), StreamQuery(), HeroAPI.HeroChangedSubscription(),
    ] {
      let request = try request(operation, format: format)
      #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
    }
    let request = try request(HeroAPI.HeroQuery(), format: format)
    #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == nil)
  }

  @Test func keepsTheCompressionThatTheProgramAsksFor() throws {
    let subscription = HeroAPI.HeroChangedSubscription()
    for name in ["Accept-Encoding", "accept-encoding"] {
      let own = try request(subscription, headers: [name: "gzip"])
      #expect(own.value(forHTTPHeaderField: "Accept-Encoding") == "gzip")
      let all = try request(subscription, transportHeaders: [name: "br"])
      #expect(all.value(forHTTPHeaderField: "Accept-Encoding") == "br")
    }
  }

  @Test func theTransportMayAskForAnotherType() throws {
    for operation: any GraphQLOperation in [
      HeroAPI.HeroQuery(), HeroAPI.DeferredHeroQuery(), HeroAPI.HeroChangedSubscription(),
    ] {
      let request = try request(operation, transportHeaders: ["accept": "application/json"])
      #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
    }
  }
}
