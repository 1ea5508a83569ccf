import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

extension FakeServer {
  /// Returns the response to a request as JSON.
  func response(_ query: String, _ variables: [String: JSONValue] = [:]) throws -> JSONValue {
    let response = respond(to: FakeServerRequest(query, variables: variables))
    return try JSONValue(jsonBytes: Array(response.text.utf8))
  }

  /// Returns the data of a response that has no errors.
  func data(
    _ query: String, _ variables: [String: JSONValue] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let value = try response(query, variables)
    #expect(value["errors"] == nil, "\(value)", sourceLocation: sourceLocation)
    return value["data"] ?? .null
  }

  /// Returns the messages of a response's errors.
  func messages(_ query: String, _ variables: [String: JSONValue] = [:]) throws -> [String] {
    try response(query, variables)["errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue }
      ?? []
  }
}
