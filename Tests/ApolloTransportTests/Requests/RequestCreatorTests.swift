import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestCreatorTests {
  /// Adds a member, and a variable.
  private struct TenantRequestCreator: RequestCreator {
    func requestBody<Operation: GraphQLOperation>(
      for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
      autoPersistQuery: Bool
    ) -> GraphQLMap {
      var body = ApolloRequestCreator().requestBody(
        for: operation, sendOperationIdentifiers: sendOperationIdentifiers,
        sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
      body["tenant"] = "north"
      return body
    }
  }

  /// Identifies each document by a number, or by another value.
  private struct TableRequestCreator: RequestCreator {
    var identifier: JSONValue = 42

    func requestBody<Operation: GraphQLOperation>(
      for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
      autoPersistQuery: Bool
    ) -> GraphQLMap {
      ["operationName": .string(Operation.operationName), "id": identifier]
    }
  }

  private func sent(
    _ operation: any GraphQLOperation, _ makeTransport: (LoopbackServer) -> HTTPNetworkTransport
  ) async throws -> ReceivedRequest {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
    defer { server.stop() }
    let transport = makeTransport(server)
    transport.sendsLibraryVersion = false
    _ = try await transport.send(OperationRequest(operation))
    return try #require(server.requests.first)
  }

  @Test func addsMembersToBodies() async throws {
    let query = HeroAPI.HeroQuery(name: "R2-D2")
    let request = try await sent(query) {
      HTTPNetworkTransport(
        url: $0.url(), client: .patient(), requestCreator: TenantRequestCreator())
    }
    var members = try JSONValue(jsonBytes: Data(request.body)).objectValue
    #expect(members?.removeValue(forKey: "tenant") == "north")
    let plain = try JSONValue(jsonBytes: Data(OperationMessage(query).json)).objectValue
    #expect(members == plain)
  }

  @Test func addsParametersToURLs() async throws {
    let request = try await sent(HeroAPI.HeroQuery(name: "R2-D2")) {
      HTTPNetworkTransport(
        url: $0.url(), client: .patient(), useGETForQueries: true,
        requestCreator: TenantRequestCreator())
    }
    #expect(request.target.contains("&tenant=north&variables=%7B%22name%22%3A%22R2-D2%22%7D"))
  }

  @Test func theDefaultCreatorMakesTheUsualBodies() async throws {
    let query = HeroAPI.HeroQuery(name: "R2-D2")
    let request = try await sent(query) {
      HTTPNetworkTransport(
        url: $0.url(), client: .patient(), requestCreator: ApolloRequestCreator())
    }
    #expect(try request.body == OperationMessage(query).json)
  }

  // MARK: Identifiers in the form of Apollo iOS 0.x

  @Test func sendsAnIdentifierInPlaceOfTheText() async throws {
    let query = HeroAPI.HeroQuery(name: "R2-D2")
    let identifier = try #require(type(of: query).operationDocument.operationIdentifier)
    let request = try await sent(query) {
      HTTPNetworkTransport(url: $0.url(), client: .patient(), sendOperationIdentifiers: true)
    }
    #expect(
      request.bodyText
        == #"{"operationName":"Hero","id":"\#(identifier)","variables":{"name":"R2-D2"}}"#)
    #expect(request.headers["x-apollo-operation-id"] == identifier)
    #expect(request.headers["x-apollo-operation-name"] == "Hero")
    #expect(request.headers["x-apollo-operation-type"] == "query")
  }

  @Test func sendsAnIdentifierThatIsANumber() async throws {
    let posted = try await sent(HeroAPI.HeroQuery()) {
      HTTPNetworkTransport(
        url: $0.url(), client: .patient(), sendOperationIdentifiers: true,
        requestCreator: TableRequestCreator())
    }
    #expect(posted.bodyText == #"{"operationName":"Hero","id":42}"#)
    let requested = try await sent(HeroAPI.HeroQuery()) {
      HTTPNetworkTransport(
        url: $0.url(), client: .patient(), useGETForQueries: true,
        requestCreator: TableRequestCreator())
    }
    #expect(requested.target.hasSuffix("?id=42&operationName=Hero"))
  }

  @Test(
    arguments: [
      TenantRequestCreator(), ApolloRequestCreator(), TableRequestCreator(identifier: .null),
    ] as [any RequestCreator])
  func refusesToSendAnIdentifierThatIsMissing(_ creator: any RequestCreator) async throws {
    let error = await #expect(throws: GraphQLHTTPRequestError.self) {
      try await sent(HeroAPI.RenameMutation(id: "1", name: "x")) {
        HTTPNetworkTransport(
          url: $0.url(), client: .patient(), sendOperationIdentifiers: true,
          requestCreator: creator)
      }
    }
    #expect(error?.code == .missingOperationIdentifier)
    #expect(error?.operationName == "Rename")
  }

  @Test func namesTheTypeOfMutations() async throws {
    let request = try await sent(HeroAPI.RenameMutation(id: "1", name: "x")) {
      HTTPNetworkTransport(url: $0.url(), client: .patient())
    }
    #expect(request.headers["x-apollo-operation-type"] == "mutation")
    #expect(request.headers["x-apollo-operation-id"] == nil)
  }
}
