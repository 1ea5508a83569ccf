package import GraphQLSyntax

extension FakeServer {
  /// Returns the kind of the operation that a request has, or `nil` if it is not valid.
  package func kind(of request: FakeServerRequest) -> OperationKind? {
    guard case .valid(let document, _) = prepared(request.query),
      case .success(let operation) = document.operation(named: request.operationName)
    else { return nil }
    return operation.kind
  }
}
