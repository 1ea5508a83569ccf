public import class ApolloAPI.Lock
public import enum ApolloAPI.JSONValue
public import Foundation
package import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A GraphQL server whose data follows from its schema and a seed, for tests and for programs whose
/// server does not exist yet.
///
/// ```swift
/// let server = try FakeServer(
///   schema: "type Query { hero(id: ID!): Hero } type Hero { id: ID! name: String! }")
/// server.set("Luke", at: "hero.name")
/// let request = FakeServerRequest("{ hero(id: 7) { id name } }")
/// print(server.respond(to: request).text)  // {"data":{"hero":{"id":"7","name":"Luke"}}}
/// ```
///
/// 1. *Same objects, same values.* A value follows from the seed, the object and the field. An
///    object has its `id`, and the same fields in every query.
/// 2. *Arguments.* `id` gives the object with that `id`. `first`, `limit` and others give so many;
///    lists in parts, and connections with cursors, are the same in every query.
/// 3. *Mutations* change the state: `createUser`, `updateUser` and `deleteUser` do what their names
///    say, and arguments are stored in the fields of the same names.
/// 4. *Rules of a test* fix values, fail fields and delay responses by path.
///
/// Requests are validated, and responses are valid by the specification.
///
/// Isolation: a lock guards the state. Requests are executed under it, one after the other.
public final class FakeServer: Sendable {
  private struct State {
    var script = FakeServerScript()
    var store = ObjectStore()
    var documents: [String: PreparedDocument] = [:]
  }

  private let context: ServerContext
  private let introspection: Introspection
  private let state = Lock(State())

  /// The number of documents that are kept, so that they are validated once.
  private static let documentLimit = 1_000

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - schema: The schema: definitions, or the JSON response to an introspection query.
  ///   - options: The numbers that decide what is made up.
  /// - Throws: ``FakeServerError`` if the schema has errors.
  public convenience init(
    schema: String, options: FakeServerOptions = FakeServerOptions()
  ) throws(FakeServerError) {
    let source = Source(name: "schema", text: schema)
    try self.init([SchemaInput(detecting: source)], options: options)
  }

  /// Creates a server with the schema in files.
  ///
  /// - Parameters:
  ///   - files: The files, which form one schema.
  ///   - options: The numbers that decide what is made up.
  /// - Throws: An error of Foundation if a file cannot be read; ``FakeServerError`` if the schema
  ///   has errors.
  public convenience init(
    schemaFiles files: [URL], options: FakeServerOptions = FakeServerOptions()
  ) throws {
    let inputs = try files.map { file in
      SchemaInput(
        detecting: Source(name: file.path, bytes: [UInt8](try Data(contentsOf: file))))
    }
    try self.init(inputs, options: options)
  }

  /// Creates a server with the schema that some inputs form.
  package init(_ inputs: [SchemaInput], options: FakeServerOptions) throws(FakeServerError) {
    // But defaults that contain themselves have no value.
    let severities = SchemaOptions.toleratedRules.filter {
      $0.key != Diagnostic.Rule(rawValue: "DefaultValueCycles")
    }
    let schemaOptions = SchemaOptions(severities: severities)
    var result = Schema.build(inputs, options: schemaOptions)
    let missing = Self.directives.filter { !Self.defines($0.name, result.schema) }
    if result.isUsable, !missing.isEmpty {
      let text = missing.map(\.definition).joined(separator: "\n")
      let source = Source(name: "directives", text: text)
      result = Schema.build(inputs + [.sdl(source)], options: schemaOptions)
    }
    let errors = result.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw FakeServerError(
        DiagnosticFormat.text.render(errors, in: result.schema.document.sources))
    }
    context = ServerContext(result.schema, options)
    introspection = Introspection(result.schema)
  }

  private static func defines(_ directive: String, _ schema: Schema) -> Bool {
    schema.names.symbol(for: directive).flatMap { schema.directive(named: $0) } != nil
  }

  /// The directives that the server knows whether or not the schema defines them.
  private static let directives: [(name: String, definition: String)] = [
    (
      "defer",
      "directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT"
    ),
    (
      "stream",
      "directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD"
    ),
  ]

  /// The schema of the server.
  package var schema: Schema { context.schema }
}

/// The error of a schema from which no server can be made. Its text shows the problems.
public struct FakeServerError: Error, CustomStringConvertible {
  /// The problems with their positions.
  public let description: String

  init(_ description: String) { self.description = description }
}

// MARK: - Rules

extension FakeServer {
  /// Fixes the value of a field.
  ///
  /// The path has the response keys from the root on: `hero.friends.name` is the name of each
  /// friend, `hero.friends.0.name` that of the first one, `hero.friends.*` each friend. A type and
  /// a field, such as `Human.name`, are that field of every object of the type. If the field has
  /// selections, the members of an object are the fields that are fixed. Of several rules for a
  /// field, the last one counts. A field whose value does not have its type fails.
  public func set(_ value: JSONValue, at path: String) {
    state.withLock { $0.script.set(value, at: path) }
  }

  /// Fails a field with an error of GraphQL.
  public func fail(_ message: String, at path: String) {
    state.withLock { $0.script.fail(message, at: path) }
  }

  /// Delays the response, or the part of it, that has a field.
  public func delay(_ delay: Duration, at path: String) {
    state.withLock { $0.script.delay(delay, at: path) }
  }

  /// Removes all rules.
  public func removeRules() { state.withLock { $0.script = FakeServerScript() } }

  /// Forgets what mutations have changed.
  public func reset() { state.withLock { $0.store = ObjectStore() } }
}

// MARK: - Responding

extension FakeServer {
  /// Executes a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - acceptsParts: `true` to deliver what has `@defer` and `@stream` in parts.
  /// - Returns: The response. That to a subscription makes its events when they are asked for.
  public func respond(
    to request: FakeServerRequest, acceptsParts: Bool = false
  ) -> FakeServerResponse {
    state.withLock { state in
      let document = prepare(request.query, in: &state)
      guard case .valid(let document) = document else {
        return FakeServerResponse(.whole, [document.problems])
      }
      let operation: GraphQLSyntax.OperationDefinition
      switch document.operation(named: request.operationName) {
      case .success(let found): operation = found
      case .failure(let problem):
        return FakeServerResponse(
          .whole, [FakeServerResponse.Part.requestErrors([(problem.message, nil)])])
      }
      let coercion = InputCoercion(schema: schema, document: document.document)
      let (variables, problems) = coercion.variables(request.variables, of: operation)
      guard problems.isEmpty else {
        return FakeServerResponse(
          .whole,
          [
            FakeServerResponse.Part.requestErrors(
              problems.map { ($0.message, document.document.location(of: $0.span)) })
          ])
      }
      let execution = PreparedExecution(
        document: document.document, operation: operation, variables: variables)
      if operation.kind == .subscription {
        return FakeServerResponse(
          events: context.options.eventCount, every: context.options.eventInterval
        ) { [self] event in
          self.state.withLock { run(execution, event: event, false, &$0)[0] }
        }
      }
      let parts = run(execution, event: 0, acceptsParts, &state)
      return FakeServerResponse(parts.count == 1 ? .whole : .parts, parts)
    }
  }

  /// Executes a request in the form of GraphQL over HTTP: a JSON object with `query`.
  package func respond(toJSON json: [UInt8], acceptsParts: Bool = false) -> FakeServerResponse {
    guard let value = try? JSONValue(jsonBytes: json) else {
      return FakeServerResponse(
        .whole, [FakeServerResponse.Part.requestErrors([("The request is no JSON.", nil)])])
    }
    guard let request = FakeServerRequest(value) else {
      return FakeServerResponse(
        .whole,
        [
          FakeServerResponse.Part.requestErrors([
            ("The request is no JSON object with a text in 'query'.", nil)
          ])
        ])
    }
    return respond(to: request, acceptsParts: acceptsParts)
  }

  /// Returns the document of a request.
  func prepared(_ query: String) -> PreparedDocument {
    state.withLock { prepare(query, in: &$0) }
  }

  private func prepare(_ query: String, in state: inout State) -> PreparedDocument {
    if let known = state.documents[query] { return known }
    if state.documents.count >= Self.documentLimit { state.documents = [:] }
    let prepared = PreparedDocument(query, schema)
    state.documents[query] = prepared
    return prepared
  }

  /// Returns the parts of a response.
  private func run(
    _ execution: PreparedExecution, event: Int, _ acceptsParts: Bool, _ state: inout State
  ) -> [FakeServerResponse.Part] {
    var executor = Executor(
      context, execution.document, execution.operation, variables: execution.variables,
      script: state.script, store: state.store, introspection: introspection,
      allowsParts: acceptsParts)
    executor.event = event
    // The operation is valid, so there is a root.
    guard let root = schema.rootType(execution.operation.kind) else { return [] }
    let data = executor.run(root)
    let text = ResponseText(execution.document)
    var parts: [FakeServerResponse.Part] = []
    let hasParts = !executor.pending.isEmpty
    parts.append(
      .init(
        delay: executor.delay,
        body: text.first(data, executor.problems, hasNext: hasParts ? true : nil)))
    while !executor.pending.isEmpty {
      let part = executor.pending.removeFirst()
      let data = executor.run(part)
      parts.append(
        .init(
          delay: executor.delay,
          body: text.next(
            part, data, executor.problems, hasNext: !executor.pending.isEmpty)))
    }
    state.store = executor.store
    return parts
  }
}
