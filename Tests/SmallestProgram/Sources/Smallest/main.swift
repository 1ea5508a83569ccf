import Apollo
import Foundation

#if WebSocket
  #error("The trait is on.")
#endif

/// A query in the form of generated code.
struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument(definition: .init("query Hero { hero }"))
  static let __selections = GeneratedCode.Selections("Query {hero String}")

  struct Data: RootSelectionSet, GeneratedCode.RootModelValue {
    typealias Schema = HeroSchema
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { HeroQuery.__selections[0] }
    var hero: String? { __value(0) }
  }
}

enum HeroSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Configuration.self
  static let types = GeneratedCode.SchemaTypes("type Query")

  enum Configuration: SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }
}

/// A server that knows one hero, and fails after the first response.
final class Server: NetworkTransport {
  private let responses = ResponseCount()

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard await responses.next() == 1 else { throw URLError(.badServerResponse) }
    return NetworkResponse(body: Data(#"{"data":{"hero":"R2-D2"}}"#.utf8))
  }

  private actor ResponseCount {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }
}

let client = ApolloClient(networkTransport: Server())
let retrying = RetryInterceptor()
let fetched = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)
print(fetched.data?.hero ?? "-", cached?.data?.hero ?? "-")
