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
/// 2. `run(_:)` with such a part executes it, which can add further ones.
struct Executor {
  /// An error in the response.
  struct Problem: Sendable {
    let message: String
    let extensions: [String: JSONValue]
    let path: [PathStep]
    let span: SourceSpan
  }

  /// A null that a non-null field passes on to what is around it. Its error is recorded already.
  struct Propagation: Error {}

  /// A part of the data that is delivered after the first one.
  struct PendingPart: Sendable {
    enum Content: Sendable {
      case fragment(FakeObject, SelectionSet)
      /// An element, whose rules count from the number `since` on.
      case item(ResolvedValue, ResolvedType, [SelectionSet], SourceSpan, since: Int)
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
  private(set) var script: FakeServerScript
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
  private var introspectedCount = 0

  var schema: Schema { context.schema }
  var coercion: InputCoercion { InputCoercion(schema: schema, document: document) }

  /// The greatest number of steps in a path.
  private static let depthLimit = 130

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
      case .item(let value, let type, let sets, let span, since: let order):
        try executor.element(value, as: type, sets, at: span, since: order)
      }
    }
  }

  func rootIdentity(_ type: Schema.NamedType.ID) -> FakeIdentity {
    FakeIdentity(type: type, key: schema.name(of: type))
  }

  private mutating func begin(at path: [PathStep]) {
    self.path = path
    problems = []
    delay = .zero
  }

  /// `true` if the response has so many objects that lists end.
  var isFull: Bool { objectCount >= context.options.objectLimit }

  /// The number of objects after which fields with further ones fail.
  private var greatestObjectCount: Int {
    let (count, isTooLarge) = context.options.objectLimit.multipliedReportingOverflow(by: 10)
    return isTooLarge ? .max : count
  }

  /// The number of objects of introspection in a response. A large schema has 100,000 of them.
  private static let greatestIntrospectedCount = 1_000_000

  /// Counts an object of introspection.
  mutating func countIntrospected() throws(FieldError) {
    introspectedCount += 1
    guard introspectedCount <= Self.greatestIntrospectedCount else {
      throw FieldError("The response has too many objects. Select fewer levels.")
    }
  }

  // MARK: Errors

  /// Records the error of a field, and lets the null pass on if the type is non-null.
  mutating func fail(
    _ message: String, extensions: [String: JSONValue] = [:], at span: SourceSpan,
    as type: ResolvedType
  ) throws(Propagation) -> FakeValue {
    problems.append(Problem(message: message, extensions: extensions, path: path, span: span))
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
    // The document is valid, but an object may lack fields of its interfaces, if the schema has
    // such an error.
    let own = schema.field(symbol, of: type)
    guard let id = own ?? inheritedField(symbol, of: type) else { return .null }
    let definition = schema[id]
    path.append(.key(field.key))
    // The root fields of a mutation follow each other, each with all fields below it, so their
    // delays add up. All other fields are executed together. Spec: 6.2.2, "Mutation".
    let earlier = operation.kind == .mutation && path.count == 1 ? delay : .zero
    delay -= earlier
    defer { delay += earlier }
    let value: FakeValue
    do {
      guard own != nil else {
        throw FieldError(
          "'\(schema.name(of: type))' has no field '\(schema.spelling(symbol))', which its interface "
            + "has. Add it to the schema.")
      }
      value = try execute(field, definition, of: object)
    } catch let error as FieldError {
      value = try fail(
        error.message, extensions: error.extensions, at: field.first.span, as: definition.type)
    } catch {
      throw Propagation()
    }
    path.removeLast()
    return value
  }

  /// Returns the field of an interface that an object type has.
  private func inheritedField(_ name: Symbol, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.types.indices.lazy.map { Schema.NamedType.ID(rawValue: UInt32($0)) }
      .filter { schema.isSubtype(type, of: $0) }
      .compactMap { schema.field(name, of: $0) }.first
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
    var fixed = fixedValue(of: field, named: name, in: object)
    if !script.isEmpty {
      let place = FakeServerScript.Place(path: path, coordinate: (object.identity.type, name))
      if let delay = script.delay(at: place, schema) { self.delay = max(self.delay, delay) }
      fixed = try ruled(at: place, since: fixed?.order ?? 0) ?? fixed
    }
    var resolved = try resolve(name, definition, arguments, of: object)
    if let fixed { resolved = try fix(fixed, definition.type, standard: resolved) }
    return try complete(
      resolved, as: definition.type, field.sets, at: field.first.span,
      stream: stream(of: field.first), since: fixed?.order ?? 0)
  }

  /// Returns the value that the last rule for a field or an element gives, or `nil` if that rule is
  /// earlier than the one with the number `order`, which gave the value around it.
  private mutating func ruled(
    at place: FakeServerScript.Place, since order: Int
  ) throws(FieldError) -> FixedValue? {
    guard let rule = script.outcome(at: place, since: order, schema) else { return nil }
    switch rule.outcome {
    case .value(let value): return FixedValue(value: value, order: rule.order)
    case .failure(let failure):
      throw FieldError(failure.message, extensions: failure.extensions)
    }
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
  ///
  /// `order` is the number of the rule that has given the value, or 0. Earlier rules for elements
  /// of the value have no effect.
  mutating func complete(
    _ value: ResolvedValue, as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan,
    stream: Stream? = nil, since order: Int
  ) throws(Propagation) -> FakeValue {
    try nullable(type) { executor throws(Propagation) in
      switch value {
      case .null, .leaf(.null):
        guard type.isNonNull else { return .null }
        return try executor.fail(
          "There is no value for a field of the type '\(executor.schema.spelling(type))'.",
          at: span, as: type)
      case .leaf(.array(let items)) where type.isList:
        return try executor.complete(
          .list(items.map { .leaf($0) }), as: type, sets, at: span, stream: stream, since: order)
      case .leaf(let value):
        guard let result = executor.schema.result(value, as: type) else {
          return try executor.failFit("\(value)", at: span, as: type)
        }
        return .leaf(result)
      case .object(let object):
        guard !type.isList, executor.schema.isSubtype(object.identity.type, of: type.namedType)
        else {
          let name = executor.schema.name(of: object.identity.type)
          return try executor.failFit("an object of the type '\(name)'", at: span, as: type)
        }
        guard executor.objectCount < executor.greatestObjectCount else {
          return try executor.fail(
            "The response has too many objects. Select fewer levels.", at: span, as: type)
        }
        return try executor.select(sets, of: object)
      case .list(let items):
        guard let item = type.item else {
          return try executor.failFit("a list", at: span, as: type)
        }
        return try executor.complete(items, as: item, sets, at: span, stream, since: order)
      }
    }
  }

  /// Fails a field whose value would make the response invalid.
  private mutating func failFit(
    _ value: String, at span: SourceSpan, as type: ResolvedType
  ) throws(Propagation) -> FakeValue {
    try fail(
      "The field has \(value), and its type is '\(schema.spelling(type))'. Fix its value by a rule.",
      at: span, as: type)
  }

  private mutating func complete(
    _ items: [ResolvedValue], as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan,
    _ stream: Stream?, since order: Int
  ) throws(Propagation) -> FakeValue {
    var values: [FakeValue] = []
    for (index, item) in items.enumerated() {
      path.append(.index(index))
      if let stream, index >= stream.initialCount {
        pending.append(
          PendingPart(
            path: path, label: stream.label, content: .item(item, type, sets, span, since: order)))
      } else {
        values.append(try element(item, as: type, sets, at: span, since: order))
      }
      path.removeLast()
    }
    return .list(values)
  }

  /// Completes an element of a list, which the script can change.
  private mutating func element(
    _ item: ResolvedValue, as type: ResolvedType, _ sets: [SelectionSet], at span: SourceSpan,
    since order: Int
  ) throws(Propagation) -> FakeValue {
    guard !script.isEmpty else {
      return try complete(item, as: type, sets, at: span, since: order)
    }
    let place = FakeServerScript.Place(path: path, coordinate: nil)
    if let delay = script.delay(at: place, schema) { self.delay = max(self.delay, delay) }
    var (value, latest) = (item, order)
    do throws(FieldError) {
      if let rule = try ruled(at: place, since: order) {
        value = try fix(rule, type, standard: item)
        latest = rule.order
      }
    } catch {
      return try nullable(type) { executor throws(Propagation) in
        try executor.fail(error.message, extensions: error.extensions, at: span, as: type)
      }
    }
    return try complete(value, as: type, sets, at: span, since: latest)
  }
}
