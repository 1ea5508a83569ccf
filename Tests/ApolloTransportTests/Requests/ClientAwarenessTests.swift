import ApolloAPI
import ApolloTransport
import Foundation
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct ClientAwarenessTests {
  private func factory(_ awareness: ClientAwareness) throws -> HTTPRequestFactory {
    var factory = HTTPRequestFactory(
      endpoint: try #require(URL(string: "https://host/graphql")))
    factory.awareness = awareness
    return factory
  }

  private func extensions(_ request: URLRequest) throws -> JSONValue? {
    try JSONValue(jsonBytes: #require(request.httpBody))["extensions"]
  }

  @Test func theDefaultNameIsThatOfThisLibrary() {
    #expect(
      ClientAwareness.defaultName(bundle: "com.example.App") == "com.example.App-apollo-swift")
  }

  @Test func namesTheLibraryInBodies() throws {
    let request = try factory(.mainBundle).urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    #expect(
      try extensions(request) == [
        "clientLibrary": ["name": "apollo-swift", "version": .string(LibraryVersion.text)]
      ])
  }

  @Test func namesTheLibraryBesideThePersistedQuery() throws {
    let request = try factory(.mainBundle).urlRequest(
      for: OperationRequest(HeroAPI.HeroQuery()), .identifier)
    let extensions = try extensions(request)
    #expect(extensions?["clientLibrary"]?["name"] == "apollo-swift")
    #expect(extensions?["persistedQuery"]?["version"] == 1)
  }

  @Test func namesTheLibraryInUploads() throws {
    let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data())
    let request = try factory(.mainBundle).urlRequest(
      for: OperationRequest(HeroAPI.RenameMutation(id: "1", name: "")), files: [file])
    let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
    #expect(body.contains(#""clientLibrary":{"name":"apollo-swift""#))
  }

  @Test func leavesTheLibraryOutOfURLs() throws {
    var factory = try factory(.mainBundle)
    factory.usesGETForQueries = true
    let request = try factory.urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    #expect(request.url?.query?.contains("clientLibrary") == false)
  }

  @Test(arguments: [
    ClientAwareness.none, ClientAwareness(name: "a", version: "1", includesLibrary: false),
  ])
  func leavesTheLibraryOutIfToldTo(_ awareness: ClientAwareness) throws {
    let request = try factory(awareness).urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    #expect(try extensions(request) == nil)
  }

  @Test func theAwarenessOfARequestReplacesThatOfTheTransport() throws {
    var operation = OperationRequest(HeroAPI.HeroQuery())
    operation.clientAwareness = ClientAwarenessMetadata(
      clientApplicationName: "shop", clientApplicationVersion: "4",
      includeApolloLibraryAwareness: false)
    let factory = try factory(ClientAwareness(name: "other", version: "1"))
    let request = try factory.urlRequest(for: operation)
    #expect(request.value(forHTTPHeaderField: "apollographql-client-name") == "shop")
    #expect(request.value(forHTTPHeaderField: "apollographql-client-version") == "4")
    #expect(try extensions(request) == nil)
  }
}
