import ApolloAPI
import ApolloTransport
import TestOperations
import Testing

@testable import ApolloWebSocket

/// The messages that start queries for a part of an operation.
struct PartMessageTests {
  private var request: OperationRequest {
    var request = OperationRequest(HeroAPI.HeroQuery(name: "R2-D2"))
    let part = OperationPart(
      fields: ["hero": OperationPart(fields: ["name": OperationPart()], keys: ["id"])])
    request.facts.completion = HeroAPI.HeroQuery.completion(of: part)
    return request
  }

  @Test func theMessageHasTheTextOfThePart() throws {
    let message = try WebSocketTransport.Configuration().message(of: request)
    #expect(
      message.query
        == "query Hero($name: String) { hero(name: $name) { __typename id name } }")
    #expect(message.variables.map { $0.0 } == ["name"])
  }

  @Test func aPartIsNoRegisteredDocument() throws {
    var configuration = WebSocketTransport.Configuration()
    configuration.sendsOperationIdentifiers = true
    let request = self.request
    let error = #expect(throws: GraphQLHTTPRequestError.self) {
      try configuration.message(of: request)
    }
    #expect(error?.code == .unregisteredPart)
  }
}
