public import enum ApolloAPI.JSONValue

/// A GraphQL request to a ``FakeServer``.
public struct FakeServerRequest: Hashable, Sendable {
  /// The text of the operation and its fragments.
  public var query: String
  /// The name of the operation to execute, if the text has more than one.
  public var operationName: String?
  /// The values of the variables by name.
  public var variables: [String: JSONValue]

  /// Creates a request.
  public init(
    _ query: String, operationName: String? = nil, variables: [String: JSONValue] = [:]
  ) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
  }

  /// Reads a request in the form of GraphQL over HTTP: an object with `query`, and perhaps with
  /// `operationName` and `variables`.
  ///
  /// - Returns: `nil` if the value is no request.
  package init?(_ json: JSONValue) {
    guard let query = json["query"]?.stringValue else { return nil }
    let variables = json["variables"] ?? .null
    guard variables.isNull || variables.objectValue != nil else { return nil }
    self.init(
      query, operationName: json["operationName"]?.stringValue,
      variables: variables.objectValue ?? [:])
  }
}
