import GraphQLSchema
import GraphQLSyntax

/// Collects the schema elements that a document uses, as schema coordinates.
///
/// Selections, arguments, literals, variables and directives count as uses, including those of
/// fragments. An input object literal uses the fields that it contains. A variable uses all fields
/// of its type, because its value can contain any of them.
struct SchemaUsage {
  private let valid: ValidatedDocument
  private(set) var coordinates: Set<String> = []
  private var inputTypes: Set<Schema.NamedType.ID> = []

  init(_ valid: ValidatedDocument) {
    self.valid = valid
  }

  private var document: Document { valid.document }
  private var schema: Schema { valid.schema }

  mutating func add(_ operation: OperationDefinition) {
    addVariableTypes(of: operation)
    for variable in document[operation.variables] {
      if let value = variable.defaultValue, let type = schema.resolve(variable.type) {
        add(value, of: type.namedType)
      }
      add(variable.directives)
    }
    add(operation.directives)
    add(operation.selectionSet)
  }

  /// Adds everything that values of the operation's variables can contain.
  mutating func addVariableTypes(of operation: OperationDefinition) {
    for variable in document[operation.variables] {
      guard let type = schema.resolve(variable.type) else { continue }
      addInput(type.namedType)
    }
  }

  mutating func add(_ fragment: FragmentDefinition) {
    add(fragment.directives)
    add(fragment.selectionSet)
  }
}

// MARK: - Selections

extension SchemaUsage {
  private mutating func add(_ selectionSet: SelectionSet) {
    if let parent = valid.types.parentType(of: selectionSet) {
      coordinates.insert(schema.name(of: parent))
    }
    for id in selectionSet.selections {
      let selection = document[id]
      add(document.directives(of: selection))
      switch selection {
      case .field(let id): add(id)
      case .inlineFragment(let id): add(document[id].selectionSet)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func add(_ id: Field.ID) {
    guard let definition = valid.types.definition(of: id) else { return }
    let field = document[id]
    coordinates.insert(schema.coordinate(of: definition))
    coordinates.insert(schema.name(of: schema[definition].type.namedType))
    add(field.arguments, schema[definition].arguments)
    if let selectionSet = field.selectionSet { add(selectionSet) }
  }

  private mutating func add(_ directives: Directive.List) {
    for directive in document[directives] {
      guard let definition = schema.directive(named: directive.name.symbol) else { continue }
      coordinates.insert("@\(document.spelling(directive.name))")
      add(directive.arguments, schema[definition].arguments)
    }
  }
}

// MARK: - Values

extension SchemaUsage {
  private mutating func add(
    _ arguments: Argument.List, _ definitions: NodeList<Schema.InputValue>
  ) {
    for argument in document[arguments] {
      guard let definition = schema.argument(argument.name.symbol, in: definitions) else {
        continue
      }
      coordinates.insert(schema.coordinate(of: definition))
      add(argument.value, of: schema[definition].type.namedType)
    }
  }

  private mutating func add(_ value: Value, of type: Schema.NamedType.ID) {
    coordinates.insert(schema.name(of: type))
    switch value.content {
    case .enum(let symbol):
      if let value = schema.enumValue(symbol, of: type) {
        coordinates.insert(schema.coordinate(of: value))
      }
    case .list(let items): for item in document[items] { add(item, of: type) }
    case .object(let fields):
      for field in document[fields] {
        guard let definition = schema.inputField(field.name.symbol, of: type) else { continue }
        coordinates.insert(schema.coordinate(of: definition))
        add(field.value, of: schema[definition].type.namedType)
      }
    case .variable, .int, .float, .string, .boolean, .null: break
    }
  }

  /// Adds an input type and everything that its values can contain.
  private mutating func addInput(_ type: Schema.NamedType.ID) {
    var pending = [type]
    while let type = pending.popLast() {
      guard inputTypes.insert(type).inserted else { continue }
      coordinates.insert(schema.name(of: type))
      for value in schema[type].enumValues { coordinates.insert(schema.coordinate(of: value)) }
      for field in schema[type].inputFields {
        coordinates.insert(schema.coordinate(of: field))
        pending.append(schema[field].type.namedType)
      }
    }
  }
}
