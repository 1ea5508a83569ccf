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
///    lists in parts, and connections with cursors, are the same in every query. Objects of a list
///    have the values that arguments such as `state` and `authorId` name.
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
  private static let documentLimit = 100

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
public struct FakeServerError: Error, CustomStringConvertible, LocalizedError {
  /// The problems with their positions.
  public let description: String

  /// The same as ``description``.
  public var errorDescription: String? { description }

  init(_ description: String) { self.description = description }
}

// MARK: - Rules

extension FakeServer {
  /// Fixes the value of a field.
  ///
  /// The path has the response keys from the root on: `hero.friends.name` is the name of each
  /// friend, `hero.friends.0.name` that of the first one, `hero.friends.*` each friend. A type and
  /// a field, such as `Human.name`, are that field of every object of the type, which can be an
  /// interface or a union. If the field has selections, the members of an object are the fields
  /// that are fixed, and a fixed `id` names the object. Of several rules for a field, the last one
  /// counts. A field whose value does not have its type fails.
  ///
  /// ``unusedRules`` has the paths that were in no response, such as those with a mistake.
  public func set(_ value: JSONValue, at path: String) {
    state.withLock { $0.script.add(.value(value), at: path) }
  }

  /// Fails a field with an error of GraphQL.
  ///
  /// ```swift
  /// server.fail("Log in.", extensions: ["code": "UNAUTHENTICATED"], times: 1, at: "viewer")
  /// ```
  ///
  /// - Parameters:
  ///   - message: The message of the error.
  ///   - extensions: The `extensions` of the error, such as a code.
  ///   - times: The number of fields that fail, after which the rule has no effect; `nil` for all.
  ///   - path: The path, as in ``set(_:at:)``.
  public func fail(
    _ message: String, extensions: [String: JSONValue] = [:], times: Int? = nil, at path: String
  ) {
    let failure = FakeServerScript.Failure(message: message, extensions: extensions)
    state.withLock { $0.script.add(.failure(failure), at: path, times: times.map { max(0, $0) }) }
  }

  /// Delays the response, or the part of it, that has a field.
  public func delay(_ delay: Duration, at path: String) {
    state.withLock { $0.script.delay(delay, at: path) }
  }

  /// Decides the number and the times of a subscription's events.
  ///
  /// - Parameters:
  ///   - delays: The time before each event, after the one before it.
  ///   - field: The response key of the root field.
  public func sendEvents(after delays: [Duration], at field: String) {
    state.withLock { $0.script.sendEvents(after: delays, at: field) }
  }

  /// The paths of the rules that have concerned no response yet, in the order of the rules.
  ///
  /// A test that expects none notices a mistake in a path, which would have no effect.
  public var unusedRules: [String] { state.withLock { $0.script.unusedPaths } }

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
      guard case .valid(let document, let mayBeDeep) = document else {
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
        document: document.document, operation: operation, variables: variables,
        mayBeDeep: mayBeDeep)
      if operation.kind == .subscription {
        return FakeServerResponse(events: eventTimes(of: execution, &state)) { [self] event in
          self.state.withLock { run(execution, event: event, false, &$0)[0] }
        }
      }
      let parts = run(execution, event: 0, acceptsParts, &state)
      return FakeServerResponse(parts.count == 1 ? .whole : .parts, parts)
    }
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

  /// Returns the time before each event of a subscription, and `nil` after the last one.
  private func eventTimes(
    of execution: PreparedExecution, _ state: inout State
  ) -> @Sendable (Int) -> Duration? {
    // The operation is valid, so it has one root field, which may be in fragments.
    let field = schema.rootType(.subscription).flatMap { root in
      executor(execution, state, false)
        .collect([execution.operation.selectionSet], of: root).fields.first
    }
    if let delays = field.flatMap({ state.script.eventTimes(of: $0.key) }) {
      return { delays.indices.contains($0) ? delays[$0] : nil }
    }
    let (count, interval) = (context.options.eventCount, context.options.eventInterval)
    return { index in count.map { index < $0 } ?? true ? interval : nil }
  }

  private func executor(
    _ execution: PreparedExecution, _ state: State, _ acceptsParts: Bool
  ) -> Executor {
    Executor(
      context, execution.document, execution.operation, variables: execution.variables,
      script: state.script, store: state.store, introspection: introspection,
      allowsParts: acceptsParts)
  }

  /// Returns the parts of a response.
  private func run(
    _ execution: PreparedExecution, event: Int, _ acceptsParts: Bool, _ state: inout State
  ) -> [FakeServerResponse.Part] {
    // The operation is valid, so there is a root.
    guard let root = schema.rootType(execution.operation.kind) else { return [] }
    var executor = executor(execution, state, acceptsParts)
    executor.event = event
    let parts: [FakeServerResponse.Part]
    if execution.mayBeDeep {
      (parts, state.store, state.script) = LargeStack.run { [executor] in
        Self.parts(executor, of: root)
      }
    } else {
      (parts, state.store, state.script) = Self.parts(executor, of: root)
    }
    return parts
  }

  /// Executes the operation. Returns the parts of the response, and the state after it.
  private static func parts(
    _ executor: Executor, of root: Schema.NamedType.ID
  ) -> (parts: [FakeServerResponse.Part], store: ObjectStore, script: FakeServerScript) {
    var executor = executor
    let data = executor.run(root)
    let text = ResponseText(executor.document)
    let hasParts = !executor.pending.isEmpty
    var parts = [
      FakeServerResponse.Part(
        delay: executor.delay,
        body: text.first(data, executor.problems, hasNext: hasParts ? true : nil))
    ]
    while !executor.pending.isEmpty {
      let part = executor.pending.removeFirst()
      let data = executor.run(part)
      parts.append(
        FakeServerResponse.Part(
          delay: executor.delay,
          body: text.next(
            part, data, executor.problems, hasNext: !executor.pending.isEmpty)))
    }
    return (parts, executor.store, executor.script)
  }
}
