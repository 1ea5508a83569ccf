import ApolloAPI
import ApolloTransport
import Foundation
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct HTTPRequestFactoryTests {
  private let endpoint = URL(string: "https://host/graphql?key=1")

  private func factory() throws -> HTTPRequestFactory {
    var factory = HTTPRequestFactory(endpoint: try #require(endpoint))
    factory.awareness = .none
    return factory
  }

  @Test func postsJSON() throws {
    let query = HeroAPI.HeroQuery(name: "R2-D2")
    let identifier = try #require(type(of: query).operationDocument.operationIdentifier)
    let request = try factory().urlRequest(for: OperationRequest(query))
    #expect(request.httpMethod == "POST")
    #expect(request.url == endpoint)
    #expect(try request.httpBody == Data(OperationMessage(query).json))
    #expect(
      request.allHTTPHeaderFields == [
        "Accept": "application/graphql-response+json, application/json;q=0.9",
        "Content-Type": "application/json",
        "X-Apollo-Operation-Name": "Hero",
        "X-Apollo-Operation-Type": "query",
        "X-Apollo-Operation-Id": identifier,
        "Apollo-Require-Preflight": "true",
      ])
  }

  @Test func getsQueriesIfToldTo() throws {
    var factory = try factory()
    factory.usesGETForQueries = true
    let request = try factory.urlRequest(for: OperationRequest(HeroAPI.HeroQuery(name: "R2+D2")))
    #expect(request.httpMethod == "GET")
    #expect(request.httpBody == nil)
    #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    #expect(
      request.url?.absoluteString
        == "https://host/graphql?key=1&operationName=Hero&query=query%20Hero%28%24name%3A%20String%29%20%7B%20hero%28name%3A%20%24name%29%20%7B%20__typename%20id%20name%20friends%20%7B%20__typename%20id%20name%20%7D%20%7D%20%7D&variables=%7B%22name%22%3A%22R2%2BD2%22%7D"
    )
  }

  @Test func neverGetsMutationsNorWhatMakesTheURLTooLong() throws {
    var factory = try factory()
    factory.usesGETForQueries = true
    let mutation = HeroAPI.RenameMutation(id: "1", name: "x")
    let long = HeroAPI.HeroQuery(name: .some(String(repeating: "x", count: 4_096)))
    #expect(try factory.urlRequest(for: OperationRequest(mutation)).httpMethod == "POST")
    #expect(try factory.urlRequest(for: OperationRequest(long)).httpMethod == "POST")
  }

  @Test func theLimitOfTheURLCanBeSet() throws {
    var factory = try factory()
    factory.usesGETForQueries = true
    let request = OperationRequest(HeroAPI.HeroQuery(name: "R2-D2"))
    let length = try #require(factory.urlRequest(for: request).url).absoluteString.utf8.count
    factory.maximumURLByteCount = length
    #expect(try factory.urlRequest(for: request).httpMethod == "GET")
    factory.maximumURLByteCount = length - 1
    #expect(try factory.urlRequest(for: request).httpMethod == "POST")
  }

  @Test(
    arguments: [
      (nil, false, "POST"), (nil, true, "GET"), (true, false, "GET"), (false, true, "POST"),
    ] as [(Bool?, Bool, String)])
  func aRequestDecidesBeforeTheTransport(_ usesGET: Bool?, _ default: Bool, _ method: String)
    throws
  {
    var factory = try factory()
    factory.usesGETForQueries = `default`
    factory.usesGETForPersistedQueryRetry = `default`
    var request = OperationRequest(HeroAPI.HeroQuery())
    request.usesGET = usesGET
    #expect(try factory.urlRequest(for: request).httpMethod == method)
    #expect(
      try factory.urlRequest(for: request, .textAndIdentifier).httpMethod
        == (usesGET == true ? "POST" : method))
    var mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))
    mutation.usesGET = usesGET
    #expect(try factory.urlRequest(for: mutation).httpMethod == "POST")
  }

  @Test func headersOfARequestWinOverThoseOfTheTransport() throws {
    var factory = try factory()
    factory.additionalHeaders = ["Authorization": "transport", "X-Mine": "transport"]
    factory.awareness = ClientAwareness(name: "tests", version: "1-2")
    let request = try factory.urlRequest(
      for: OperationRequest(HeroAPI.HeroQuery(), additionalHeaders: ["Authorization": "request"]))
    #expect(request.value(forHTTPHeaderField: "Authorization") == "request")
    #expect(request.value(forHTTPHeaderField: "X-Mine") == "transport")
    #expect(request.value(forHTTPHeaderField: "apollographql-client-name") == "tests")
    #expect(request.value(forHTTPHeaderField: "apollographql-client-version") == "1-2")
  }

  @Test(arguments: [
    ("X", "a\r\nb"), ("X", "a\nb"), ("X", "a\u{0}"), ("X", "é"), ("X\r\nY", "b"), ("", "b"),
    ("X:", "b"), ("X Y", "b"), ("X;", "b"), ("X(Y)", "b"), ("\"X\"", "b"), ("é", "b"),
  ])
  func refusesHeadersThatCouldInjectOthers(_ name: String, _ value: String) throws {
    let request = OperationRequest(HeroAPI.HeroQuery(), additionalHeaders: [name: value])
    #expect(throws: GraphQLHTTPRequestError.invalidHeader(name: name)) {
      try factory().urlRequest(for: request)
    }
  }

  @Test(arguments: [
    "Content-Length", "content-length", "Transfer-Encoding", "Host", "HOST", "Connection",
    "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade",
  ])
  func refusesHeadersOfTheConnection(_ name: String) throws {
    let request = OperationRequest(HeroAPI.HeroQuery(), additionalHeaders: [name: "5"])
    #expect(throws: GraphQLHTTPRequestError.reservedHeader(name: name)) {
      try factory().urlRequest(for: request)
    }
  }

  @Test(arguments: ["Bücher", "a\r\nb"])
  func refusesANameOfTheProgramThatCannotBeSent(_ name: String) throws {
    var factory = try factory()
    factory.awareness = ClientAwareness(name: name, version: nil)
    #expect(throws: GraphQLHTTPRequestError.invalidHeader(name: "apollographql-client-name")) {
      try factory.urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    }
  }

  @Test func theLastOfEquallyNamedHeadersCounts() throws {
    var factory = try factory()
    factory.additionalHeaders = ["x-mine": "2", "X-Mine": "1"]
    let request = try factory.urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    #expect(request.value(forHTTPHeaderField: "X-Mine") == "2")
  }

  @Test(arguments: ["file:///etc/passwd", "/graphql", "ftp://host/x", "http:///x"])
  func refusesEndpointsThatAreNotHTTP(_ text: String) throws {
    let factory = HTTPRequestFactory(endpoint: try #require(URL(string: text)))
    #expect(throws: GraphQLHTTPRequestError.self) {
      try factory.urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    }
  }

  @Test func keepsSecretsOutOfItsErrors() throws {
    let url = try #require(URL(string: "ftp://user:secret@host/x?token=secret#secret"))
    let error = #expect(throws: GraphQLHTTPRequestError.self) {
      try HTTPRequestFactory(endpoint: url).urlRequest(for: OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error == .unsupportedURL("ftp://host/x"))
  }
}
