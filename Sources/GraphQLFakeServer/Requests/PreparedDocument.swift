import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The document of a request, validated.
enum PreparedDocument: Sendable {
  /// `mayBeDeep` is `true` if so many selection sets can be inside of each other that a task's
  /// stack might not do.
  case valid(ValidatedDocument, mayBeDeep: Bool)
  /// The response to every request with the document.
  case invalid([UInt8])

  /// The deepest selection sets and values that the server executes.
  private static let nestingLimit = 60

  /// The rules for documents, and the one that limits the size of introspection.
  private static let configuration = ValidationConfiguration(
    severities: [.maxIntrospectionDepth: .error])

  init(_ query: String, _ schema: Schema) {
    var document = Document(names: schema.names, sources: schema.document.sources)
    let options = ParserOptions(nestingLimit: Self.nestingLimit)
    let diagnostics = document.parse(Source(name: "request", text: query), options: options)
    let result = validate(document, against: schema, configuration: Self.configuration)
    let errors = diagnostics + (diagnostics.isEmpty ? result.diagnostics : [])
    guard let valid = result.document, errors.allSatisfy({ $0.severity != .error }) else {
      self = .invalid(
        FakeServerResponse.Part.requestErrors(
          errors.filter { $0.severity == .error }
            .map { ($0.message, $0.span.map(document.location)) }
        ).body)
      return
    }
    // Fragments do not contain themselves, so each level has a selection set of its own.
    let braceCount = query.utf8.count { $0 == UInt8(ascii: "{") }
    self = .valid(valid, mayBeDeep: braceCount > Self.smallStackLimit)
  }

  /// The number of levels for which the stack of a task suffices, in a debug build as well.
  private static let smallStackLimit = 16

  /// The response, if the document is not valid.
  var problems: FakeServerResponse.Part {
    switch self {
    case .valid: FakeServerResponse.Part(delay: .zero, body: [])
    case .invalid(let body): FakeServerResponse.Part(delay: .zero, body: body)
    }
  }
}

/// An operation with the values of its variables.
struct PreparedExecution: Sendable {
  let document: Document
  let operation: GraphQLSyntax.OperationDefinition
  let variables: [String: JSONValue]
  let mayBeDeep: Bool
}

extension ValidatedDocument {
  /// Returns the operation to execute.
  ///
  /// Spec: 6.1, "Executing Requests", `GetOperation`.
  func operation(
    named name: String?
  ) -> Result<GraphQLSyntax.OperationDefinition, FieldError> {
    guard let name else {
      guard document.operations.count == 1 else {
        return .failure(
          FieldError(
            document.operations.isEmpty
              ? "The request has no operation."
              : "The request has several operations. Name one in 'operationName'."))
      }
      return .success(document.operations[0])
    }
    let found = document.operations.first { $0.name.map(document.spelling) == name }
    return found.map { .success($0) }
      ?? .failure(FieldError("The request has no operation named '\(name)'."))
  }
}
