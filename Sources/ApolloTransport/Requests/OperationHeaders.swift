import ApolloAPI

/// The facts about an operation that its request has in headers, for gateways and logs.
struct OperationHeaders: Hashable {
  var name: String
  /// The identifier that was generated with the operation.
  var identifier: String?
  var type: GraphQLOperationType

  /// The name of the header with ``type``.
  static let typeName = "X-Apollo-Operation-Type"

  init(_ message: OperationMessage, _ type: GraphQLOperationType) {
    name = message.operationName
    identifier = message.generatedIdentifier
    self.type = type
  }

  var fields: [(name: String, value: String)] {
    [
      ("X-Apollo-Operation-Name", name), (Self.typeName, type.rawValue),
      ("X-Apollo-Operation-Id", identifier),
    ].compactMap { name, value in value.map { (name, $0) } }
  }
}
