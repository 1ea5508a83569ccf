import GraphQLSchema
import GraphQLSyntax

extension ReferencedTypes {
  /// Collects the types that the definitions of `program` need: leaves of fields, inputs of
  /// variables, and every composite type that an object of a response can have or can be tested
  /// for.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - view: The schema.
  ///   - isReduced: `true` to omit object types that nothing in the program refers to, and whose
  ///     objects have no key fields. Type conditions still apply to them, because interfaces list
  ///     their names.
  init(of program: Program, _ view: SchemaView, isReduced: Bool) {
    var collector = TypeCollector(view, isReduced: isReduced)
    for set in program.selectionSets {
      collector.addComposite(set.parentType)
      for case .field(let field) in set.selections { collector.addLeaf(field.type.innermost) }
    }
    for definition in program.definitions {
      for variable in definition.variables { collector.addInput(variable.type.innermost) }
    }
    self = collector.types()
  }
}

/// A collector that follows the references between types of a schema.
private struct TypeCollector {
  private let view: SchemaView
  private var schema: Schema { view.schema }
  private var leaves: Set<String> = []
  private var inputs: Set<String> = []
  private var inputEnums: Set<String> = []
  private var composites: Set<Schema.NamedType.ID> = []
  /// The types that selections are made on, whose possible types are collected. An interface that
  /// an object implements is in ``composites`` without its other objects.
  private var selected: Set<Schema.NamedType.ID> = []

  private let isReduced: Bool

  init(_ view: SchemaView, isReduced: Bool) {
    self.view = view
    self.isReduced = isReduced
  }

  mutating func addLeaf(_ type: NamedType) {
    if type.kind == .enum || type.kind == .customScalar { leaves.insert(type.name) }
  }

  mutating func addInput(_ type: NamedType) {
    addLeaf(type)
    if type.kind == .enum { inputEnums.insert(type.name) }
    guard type.kind == .inputObject, inputs.insert(type.name).inserted, let id = id(of: type.name)
    else { return }
    for field in schema[schema[id].inputFields] {
      addInput(view.namedType(field.type.namedType))
    }
  }

  /// Adds a type, its possible object types, and the interfaces of those.
  mutating func addComposite(_ type: Schema.NamedType.ID) {
    guard selected.insert(type).inserted else { return }
    composites.insert(type)
    for object in schema.possibleTypes(of: type)
    where isNeeded(object, of: type) && composites.insert(object).inserted {
      composites.formUnion(schema[schema[object].interfaces].map(\.type))
    }
    composites.formUnion(schema[schema[type].interfaces].map(\.type))
  }

  /// Returns `true` if an object type is described although only a type around it is referred to.
  /// Descriptions of unions list their objects.
  private func isNeeded(_ object: Schema.NamedType.ID, of type: Schema.NamedType.ID) -> Bool {
    !isReduced || schema[type].kind == .union || !view.keyFields(of: object).isEmpty
      || !view.fieldPolicies(of: object).isEmpty || !view.listPolicies(of: object).isEmpty
  }

  private func id(of name: String) -> Schema.NamedType.ID? {
    schema.type(named: name)
  }

  // MARK: - Descriptions of the types

  func types() -> ReferencedTypes {
    var types = ReferencedTypes()
    for name in leaves.sorted() {
      guard let id = id(of: name) else { continue }
      if schema[id].kind == .enum {
        types.enums.append(enumType(id))
      } else {
        types.scalars.append(scalar(id))
      }
    }
    types.inputObjects = inputs.sorted().compactMap { id(of: $0).map(inputObject) }
    types.inputEnums = inputEnums
    types.maxAges = view.maxAges
    for (name, id) in composites.map({ (view.name(of: $0), $0) }).sorted(by: { $0.0 < $1.0 }) {
      switch schema[id].kind {
      case .object: types.objects.append(object(id, name))
      case .interface: types.interfaces.append(interface(id, name))
      case .union: types.unions.append(union(id, name))
      case .scalar, .enum, .inputObject: continue
      }
    }
    return types
  }

  private func description(_ id: Schema.NamedType.ID) -> String? {
    view.text(schema.document[schema[id].definition].description)
  }

  private func span(_ id: Schema.NamedType.ID) -> SourceSpan {
    schema.document[schema[id].definition].name.span
  }

  private func scalar(_ id: Schema.NamedType.ID) -> CustomScalar {
    CustomScalar(
      name: view.name(of: id), span: span(id), description: description(id),
      specifiedBy: SchemaView.stringArgument(
        "url", of: "specifiedBy", in: schema.directives(of: id), schema))
  }

  private func enumType(_ id: Schema.NamedType.ID) -> EnumType {
    EnumType(
      name: view.name(of: id), span: span(id), description: description(id),
      values: schema[id].enumValues.map { value in
        .init(
          name: schema.spelling(schema[value].name),
          span: schema.document[schema[value].definition].name.span,
          description: view.text(schema.document[schema[value].definition].description),
          deprecationReason: schema[value].isDeprecated
            ? view.deprecationReason(in: schema.directives(of: value)) : nil)
      })
  }

  private func inputObject(_ id: Schema.NamedType.ID) -> InputObjectType {
    InputObjectType(
      name: view.name(of: id), span: span(id), description: description(id),
      isOneOf: schema[id].isOneOf,
      fields: schema[id].inputFields.map { field in
        .init(
          name: schema.spelling(schema[field].name),
          span: schema.document[schema[field].definition].name.span,
          description: view.text(schema.document[schema[field].definition].description),
          deprecationReason: schema[field].isDeprecated
            ? view.deprecationReason(in: schema.directives(of: field)) : nil,
          type: view.valueType(of: schema[field].type), hasDefault: schema[field].hasDefaultValue)
      })
  }

  private func keyFields(_ id: Schema.NamedType.ID) -> [String]? {
    let fields = view.keyFields(of: id)
    return fields.isEmpty ? nil : fields
  }

  private func object(_ id: Schema.NamedType.ID, _ name: String) -> ObjectType {
    ObjectType(
      name: name, span: span(id), description: description(id),
      interfaces: schema[schema[id].interfaces].map { view.name(of: $0.type) }.sorted(),
      keyFields: keyFields(id), fieldPolicies: view.fieldPolicies(of: id),
      listPolicies: view.listPolicies(of: id), lookups: view.lookups(of: id),
      isQueryRoot: view.rootType(of: .query) == id)
  }

  private func interface(_ id: Schema.NamedType.ID, _ name: String) -> InterfaceType {
    InterfaceType(
      name: name, span: span(id), description: description(id), keyFields: keyFields(id),
      fieldPolicies: view.fieldPolicies(of: id), listPolicies: view.listPolicies(of: id),
      implementingObjects: schema.possibleTypes(of: id).map(view.name(of:)).sorted())
  }

  private func union(_ id: Schema.NamedType.ID, _ name: String) -> UnionType {
    UnionType(
      name: name, span: span(id), description: description(id),
      possibleTypes: schema.possibleTypes(of: id).map(view.name(of:)).sorted())
  }
}
