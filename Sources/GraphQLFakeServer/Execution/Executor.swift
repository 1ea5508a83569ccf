import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// Executes one operation, part by part.
///
/// Spec: 6.2, "Executing Operations"; 6.4, "Executing Fields". `@defer` and `@stream` follow the
/// proposal of 2022-08-24, which servers and clients agree on.
///
/// 1. ``run(_:)`` executes the root selections. Deferred fragments and the rest of streamed lists
///    become ``PendingPart`` values.
/// 2. ``run(_:)-(PendingPart)`` executes one of them, which can add further ones.
struct Executor {
  /// An error in the response.
  struct Problem: Sendable {
    let message: String
    let path: [PathStep]
    let span: SourceSpan
  }

  /// A null that a non-null field passes on to what is around it. Its error is recorded already.
  struct Propagation: Error {}

  /// A part of the data that is delivered after the first one.
  struct PendingPart: Sendable {
    enum Content: Sendable {
      case fragment(FakeObject, SelectionSet)
      case item(ResolvedValue, ResolvedType, [SelectionSet], SourceSpan)
    }

    let path: [PathStep]
    let label: String?
    let content: Content
  }

  /// The fields with one response key.
  struct CollectedField {
    let key: String
    let first: GraphQLSyntax.Field
    var sets: [SelectionSet]
  }

  let context: ServerContext
  let document: Document
  let operation: GraphQLSyntax.OperationDefinition
  let fragments: [Symbol: GraphQLSyntax.FragmentDefinition]
  let variables: [String: JSONValue]
  let script: FakeServerScript
  /// `true` if the client accepts a response in parts.
  let allowsParts: Bool
  /// The number of the event of a subscription, from 0 on.
  var event = 0
  var store: ObjectStore
  let introspection: Introspection

  var problems: [Problem] = []
  var pending: [PendingPart] = []
  /// The time that the current part takes.
  var delay = Duration.zero
  var path: [PathStep] = []
  private var objectCount = 0

  var schema: Schema { context.schema }
  var coercion: InputCoercion { InputCoercion(schema: schema, document: document) }

  /// The greatest number of steps in a path.
  private static let depthLimit = 200

  init(
    _ context: ServerContext, _ document: Document, _ operation: GraphQLSyntax.OperationDefinition,
    variables: [String: JSONValue], script: FakeServerScript, store: ObjectStore,
    introspection: Introspection, allowsParts: Bool
  ) {
    self.context = context
    self.document = document
    self.operation = operation
    fragments = Dictionary(
      document.fragments.map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    self.variables = variables
    self.script = script
    self.store = store
    self.introspection = introspection
    self.allowsParts = allowsParts
  }

  /// Executes the operation. Returns `null` if an error reaches the root.
  mutating func run(_ root: Schema.NamedType.ID) -> FakeValue {
    begin(at: [])
    return stoppingNull { executor throws(Propagation) in
      try executor.select(
        [executor.operation.selectionSet], of: FakeObject(executor.rootIdentity(root)))
    }
  }

  /// Executes a part, whose data is `null` if an error reaches its root.
  mutating func run(_ part: PendingPart) -> FakeValue {
    begin(at: part.path)
    return stoppingNull { executor throws(Propagation) in
      switch part.content {
      case .fragment(let object, let set): try executor.select([set], of: object)
      case .item(let value, let type, let sets, let span):
        try executor.complete(value, as: type, sets, at: span)
      }
    }
  }

  func rootIdentity(_ type: Schema.NamedType.ID) -> ObjectIdentity {
    ObjectIdentity(type: type, key: schema.name(of: type))
  }

  private mutating func begin(at path: [PathStep]) {
    self.path = path
    problems = []
    delay = .zero
  }

  /// `true` if the response has so many objects that lists end.
  var isFull: Bool { objectCount >= context.options.objectLimit }

  // MARK: Errors

  /// Records the error of a field, and lets the null pass on if the type is non-null.
  mutating func fail(
    _ message: String, at span: SourceSpan, as type: ResolvedType
  ) throws(Propagation) -> FakeValue {
    problems.append(Problem(message: message, path: path, span: span))
    if type.isNonNull { throw Propagation() }
    return .null
  }

  /// Returns a value, or `null` if an error reaches it. Parts below that null are dropped.
  private mutating func stoppingNull(
    _ body: (inout Executor) throws(Propagation) -> FakeValue
  ) -> FakeValue {
    let (depth, pendingCount) = (path.count, pending.count)
    do throws(Propagation) {
      return try body(&self)
    } catch {
      path.removeLast(path.count - depth)
      pending.removeLast(pending.count - pendingCount)
      return .null
    }
  }

  // MARK: Objects

  /// Returns the selected fields of an object.
  mutating func select(
    _ sets: [SelectionSet], of object: FakeObject
  ) throws(Propagation) -> FakeValue {
    objectCount += 1
    let type = object.identity.type
    var members: [(key: String, value: FakeValue)] = []
    let collected = collect(sets, of: type)
    for deferred in collected.deferred {
      pending.append(
        PendingPart(
          path: path, label: deferred.label, content: .fragment(object, deferred.set)))
    }
    members.reserveCapacity(collected.fields.count)
    for field in collected.fields {
      members.append((field.key, try execute(field, of: object)))
    }
    return .object(members)
  }

  private mutating func execute(
    _ field: CollectedField, of object: FakeObject
  ) throws(Propagation) -> FakeValue {
    let type = object.identity.type
    let symbol = field.first.name.symbol
    if symbol == .typename { return .leaf(.string(schema.name(of: type))) }
    // The document is valid.
    guard let id = schema.field(symbol, of: type) else { return .null }
    let definition = schema[id]
    path.append(.key(field.key))
    let value: FakeValue
    do {
      value = try execute(field, definition, of: object)
    } catch let error as FieldError {
      value = try fail(error.message, at: field.first.span, as: definition.type)
    } catch {
      throw Propagation()
    }
    path.removeLast()
    return value
  }

  private mutating func execute(
    _ field: CollectedField, _ definition: Schema.Field, of object: FakeObject
  ) throws -> FakeValue {
    let name = schema.spelling(definition.name)
    let arguments = try coercion.arguments(
      field.first.arguments, for: definition.arguments, variables)
    if definition.name == .introspectionSchemaField || definition.name == .introspectionTypeField {
      let value = introspection.root(name, arguments)
      return try introspect(value, definition.type, field.sets)
    }
    guard path.count < Self.depthLimit else {
      throw FieldError("The operation is nested too deeply. Select fewer levels.")
    }
    let coordinate = (type: schema.name(of: object.identity.type), field: name)
    var fixed = object.fixed[field.key] ?? object.fixed[name]
    if !script.isEmpty {
      if let delay = script.delay(at: path, coordinate) {
        // The root fields of a mutation follow each other, all others are executed together.
        self.delay =
          operation.kind == .mutation && path.count == 1
          ? self.delay + delay : max(self.delay, delay)
      }
      if let message = script.failure(at: path, coordinate) { throw FieldError(message) }
      fixed = script.value(at: path, coordinate) ?? fixed
    }
    var resolved = try resolve(name, definition, arguments, of: object)
    if let fixed { resolved = try fix(fixed, definition.type, standard: resolved) }
    return try complete(
      resolved, as: definition.type, field.sets, at: field.first.span,
      stream: stream(of: field.first))
  }

  /// Returns a value of a field or an element, whose null stops here if the type is nullable.
  private mutating func nullable(
    _ type: ResolvedType, _ body: (inout Executor) throws(Propagation) -> FakeValue
  ) throws(Propagation) -> FakeValue {
    if type.isNonNull { return try body(&self) }
    return stoppingNull(body)
  }

  // MARK: Values

  /// Completes a value.
  ///
  /// Spec: 6.4.3, "Value Completion".
  mutating func complete(
    _ value: ResolvedValue, as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan,
    stream: Stream? = nil
  ) throws(Propagation) -> FakeValue {
    try nullable(type) { executor throws(Propagation) in
      switch value {
      case .null:
        guard type.isNonNull else { return .null }
        return try executor.fail(
          "There is no value for a field of the type '\(executor.schema.spelling(type))'.",
          at: span, as: type)
      case .leaf(let value): return .leaf(value)
      case .object(let object): return try executor.select(sets, of: object)
      case .list(let items):
        guard let item = type.item else { return .null }
        return try executor.complete(items, as: item, sets, at: span, stream)
      }
    }
  }

  private mutating func complete(
    _ items: [ResolvedValue], as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan,
    _ stream: Stream?
  ) throws(Propagation) -> FakeValue {
    var values: [FakeValue] = []
    for (index, item) in items.enumerated() {
      path.append(.index(index))
      if let stream, index >= stream.initialCount {
        pending.append(
          PendingPart(path: path, label: stream.label, content: .item(item, type, sets, span)))
      } else {
        values.append(try element(item, as: type, sets, at: span))
      }
      path.removeLast()
    }
    return .list(values)
  }

  /// Completes an element of a list, which the script can change.
  private mutating func element(
    _ item: ResolvedValue, as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan
  ) throws(Propagation) -> FakeValue {
    guard !script.isEmpty else { return try complete(item, as: type, sets, at: span) }
    if let delay = script.delay(at: path, nil) { self.delay = max(self.delay, delay) }
    if let message = script.failure(at: path, nil) { return try fail(message, at: span, as: type) }
    guard let fixed = script.value(at: path, nil) else {
      return try complete(item, as: type, sets, at: span)
    }
    let value: ResolvedValue
    do throws(FieldError) {
      value = try fix(fixed, type, standard: item)
    } catch {
      return try fail(error.message, at: span, as: type)
    }
    return try complete(value, as: type, sets, at: span)
  }
}
