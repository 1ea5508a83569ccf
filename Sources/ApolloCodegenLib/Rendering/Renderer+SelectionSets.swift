import ApolloIR
import SwiftSource

/// A renderer of the models of one definition.
struct SelectionSetRenderer {
  let renderer: Renderer
  let literal: SelectionLiteral
  let definition: Definition
  /// The name of the definition's type.
  private let name: String

  init(renderer: Renderer, literal: SelectionLiteral, definition: Definition) {
    self.renderer = renderer
    self.literal = literal
    self.definition = definition
    name = renderer.names.definition(definition)
  }

  private var program: Program { renderer.program }
  private var names: SwiftNames { renderer.names }
  private var structures: Structures { renderer.structures }
  private var layout: ModuleLayout { renderer.layout }
  private var access: [String] { layout.operationModifiers }
  /// The access level of members that only read the object.
  private var viewAccess: [String] { renderer.emittedWhereUsed(access) }
  /// The prefix of the protocols of models whose properties can be set.
  private var mutability: String { definition.isMutable ? "Mutable" : "" }

  /// Renders the struct of a selection set.
  ///
  /// - Parameters:
  ///   - id: The selection set.
  ///   - scope: The scope of the struct around it.
  /// - Returns: The declaration of the struct.
  func structure(_ id: SelectionSet.ID, in scope: Scope) -> Declaration {
    let set = program[id]
    let name = structures.name(of: id)
    let scope = scope.entering(name, nested: structures.childNames(of: id))
    var inherits: [String]
    var members: [Declaration] = []
    if case .inlineFragment = set.role {
      inherits = ["\(layout.namespace).\(mutability)InlineFragment"]
      let root = structures.path(of: entity(of: id))
      let target = scope.reference(to: root) ?? "\(layout.namespace).\(root.joined(separator: "."))"
      members.append(
        Declaration(.typeAlias(name: "RootEntityType", target: target), modifiers: access))
    } else {
      inherits = ["\(layout.namespace).\(mutability)SelectionSet"]
    }
    if renderer.isIdentifiable(id) { inherits.append("Identifiable") }
    members += self.members(of: id, in: scope)
    return Declaration(
      .group(Group("struct", name, inherits: inherits, members: members)),
      documentation: "Parent type: `\(set.parentTypeName)`", attributes: attributes(of: set),
      modifiers: layout.typeModifiers(access))
  }

  func attributes(of set: SelectionSet) -> [String] {
    set.forwardedFragments.isEmpty ? [] : ["@dynamicMemberLookup"]
  }

  /// Returns the selection set of the object that an inline fragment is a view of.
  private func entity(of id: SelectionSet.ID) -> SelectionSet.ID {
    var current = id
    while case .inlineFragment = program[current].role, let parent = program[current].parent {
      current = parent
    }
    return current
  }

  // MARK: - Members

  /// Renders the members of a struct.
  ///
  /// 1. Storage of the object.
  /// 2. Accessors of fields, and the memberwise initializer.
  /// 3. Conversions to type cases and fragments.
  /// 4. Aliases of structs that are nested elsewhere.
  /// 5. Nested structs, unless they are in an extension.
  ///
  /// - Parameters:
  ///   - id: The selection set.
  ///   - scope: The scope of the struct itself.
  /// - Returns: The declarations, in this order.
  func members(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    storage(of: id, in: scope) + accessors(of: id, in: scope) + initializer(of: id, in: scope)
      + cases(of: id, in: scope) + fragments(of: id, in: scope) + aliases(of: id, in: scope)
      + (hasExtension(id) ? [] : structures.children(of: id).map { structure($0, in: scope) })
  }

  // MARK: - Depth

  /// The number of levels that are nested in each other, before an extension has the next ones.
  ///
  /// The compiler visits the types around a type in a number of steps that doubles with each level,
  /// and an extension ends the visit. Without them, 20 levels take minutes.
  private static let nestedLevels = 6

  /// Indicates whether the structs nested in a selection set are declared in an extension.
  private func hasExtension(_ id: SelectionSet.ID) -> Bool {
    structures.path(of: id).count.isMultiple(of: Self.nestedLevels)
  }

  /// Renders the structs that are nested too deeply to be declared in place.
  ///
  /// - Parameter scope: The scope around the definition.
  /// - Returns: An extension for each struct around them, from the outside to the inside.
  func extensions(in scope: Scope) -> [Declaration] {
    var result: [Declaration] = []
    var pending = [definition.root]
    while let id = pending.popLast() {
      let children = structures.children(of: id)
      pending += children.reversed()
      guard hasExtension(id), !children.isEmpty else { continue }
      let path = structures.path(of: id)
      let scope = scope.extending(
        path, nested: structures.childNames(of: id), in: layout.definitionsAreNested)
      let name = (layout.definitionsAreNested ? [layout.namespace] : []) + path
      result.append(
        Declaration(
          .group(
            Group(
              "extension", name.joined(separator: "."),
              members: children.map { structure($0, in: scope) }))))
    }
    return result
  }

  private func storage(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    guard let number = literal.numbers[id] else {
      preconditionFailure("The literal numbers every selection set of its definition.")
    }
    let owner = scope.reference(to: [name]) ?? "\(layout.namespace).\(name)"
    return object + [
      Declaration(
        .property(
          Property(
            "__layout", type: "ApolloAPI.GeneratedCode.SelectionLayout",
            .computedOnOneLine("\(owner).__selections[\(number)]"))),
        modifiers: viewAccess + ["static"])
    ]
  }

  /// The stored object of a model or of its fragments.
  ///
  /// An immutable model declares its storage only; the protocols read it, because they know that a
  /// view has no other storage.
  private var object: [Declaration] {
    guard definition.isMutable else {
      let object = Property("__storage", type: "ApolloAPI.GeneratedCode.ResponseObject", .let(nil))
      return [Declaration(.property(object), modifiers: ["private"])]
    }
    return object(.var(nil), deferring: [])
  }

  /// Renders the object of a model that can be changed, or that stores more: fragments whose data
  /// may arrive later are stored separately.
  private func object(
    _ storage: Property.Storage, deferring properties: [String]
  ) -> [Declaration] {
    [
      Declaration(
        .property(Property("__object", type: "ApolloAPI.GeneratedCode.ResponseObject", storage)),
        modifiers: access),
      Declaration(
        .function(
          Function(
            "init", [Parameter("__object", type: "ApolloAPI.GeneratedCode.ResponseObject")],
            body: ["self.__object = __object"]
              + properties.map { "_\($0) = ApolloAPI.Deferred(__object: __object)" })),
        modifiers: access),
    ]
  }

  private func accessors(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    let access = viewAccess
    return program[id].visibleFields.enumerated().map { index, merged in
      let property = self.property(ofAccessor: index, merged, id, in: scope)
      return Declaration(
        .property(
          Property(
            names.property(merged.field.responseKey, in: id), type: property.type,
            property.storage)),
        documentation: renderer.documentation(of: merged.field),
        attributes: renderer.deprecation(program.deprecationReason(of: merged.field)),
        modifiers: access)
    }
  }

  /// Returns the type and the storage of a field's property.
  private func property(
    ofAccessor index: Int, _ merged: MergedField, _ id: SelectionSet.ID, in scope: Scope
  ) -> (type: String, storage: Property.Storage) {
    let field = merged.field
    let type = type(of: merged, id, in: scope)
    guard let nullability = treatment(of: merged) else {
      return (type, storage(ofAccessor: index, field))
    }
    let structure = field.child.map { reference(to: $0, from: id, in: scope) }
    let accessor = NullabilityAccessor(nullability, isConditional: merged.isConditional) {
      renderer.outputType($0, structure: structure, in: scope)
    }
    return accessor.property(
      of: field.type, reader: "\(Self.reader(of: field))(\(index))", place: "__place(\(index))")
  }

  /// Returns the treatment of a field's nulls and errors, or `nil` if its property is that without
  /// directives. A property that can be set never throws: it is null where there is an error.
  private func treatment(of merged: MergedField) -> FieldNullability? {
    guard !definition.isMutable, var nullability = merged.field.nullability else { return nil }
    if merged.isConditional { nullability = nullability.ofConditionalField }
    return nullability.isSpecial(from: 0) ? nullability : nil
  }

  /// Returns the getter of a field's property, and its setter if the model can be changed. Objects
  /// and lists can be changed in place, which does not copy the others of a list.
  private func storage(ofAccessor index: Int, _ field: Field) -> Property.Storage {
    guard definition.isMutable else { return storage("\(Self.reader(of: field))(\(index))") }
    let value = "__object[\(index), Self.__layout]"
    guard field.child != nil || field.type.isList else { return storage(value) }
    return .inPlace(getter: [value], setter: ["\(value) = newValue"], yields: value)
  }

  /// Returns the function that reads a field: views have functions that compile faster.
  private static func reader(of field: Field) -> String {
    guard field.child != nil else { return "__value" }
    guard case .list(let element) = field.type.nullable else { return "__view" }
    return element.isList ? "__value" : "__views"
  }

  /// Returns the getter of a property, and its setter if the model can be changed.
  private func storage(_ value: String, set setter: String? = nil) -> Property.Storage {
    let setter = definition.isMutable ? [setter ?? "\(value) = newValue"] : nil
    return .computed(getter: [value], setter: setter)
  }

  private func type(of merged: MergedField, _ id: SelectionSet.ID, in scope: Scope) -> String {
    let field = merged.field
    let structure = field.child.map { reference(to: $0, from: id, in: scope) }
    let type = merged.isConditional ? field.type.nullable : field.type
    return renderer.outputType(type, structure: structure, in: scope)
  }

  /// Returns the name of a struct in the struct of `id`, or the way to it.
  private func reference(
    to target: SelectionSet.ID, from id: SelectionSet.ID? = nil, in scope: Scope
  ) -> String {
    if let id, let alias = structures.aliases(of: id).first(where: { $0.target == target }) {
      return alias.name
    }
    let path = structures.path(of: target)
    return scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
  }

  private func aliases(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    structures.aliases(of: id).map { alias in
      let target = reference(to: alias.target, in: scope)
      return Declaration(.typeAlias(name: alias.name, target: target), modifiers: access)
    }
  }

  /// Renders a memberwise initializer. Its first parameter is the name of the object's type, unless
  /// the type is known.
  private func initializer(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    guard definition.hasInitializers else { return [] }
    let set = program[id]
    let isConcrete = program.isConcrete(set)
    let typename = set.visibleFields.filter { $0.field.responseKey == "__typename" && !isConcrete }
    let fields = typename + set.visibleFields.filter { $0.field.name != "__typename" }
    let parameters = fields.map { merged in
      var merged = merged
      merged.field.type =
        treatment(of: merged)?.parameterType(of: merged.field.type) ?? merged.field.type
      let type = type(of: merged, id, in: scope)
      return Parameter(
        Identifier.escaped(names.unescapedProperty(merged.field.responseKey, in: id)), type: type,
        value: type.hasSuffix("?") ? .code("nil") : nil)
    }
    let values = fields.map { merged in
      let name = names.unescapedProperty(merged.field.responseKey, in: id)
      return Expression.Entry(
        .string(merged.field.responseKey), .code(Identifier.escaped(name)))
    }
    let body = Expression.call("self.init", [.init("__values", .dictionary(values))])
    return [
      Declaration(.function(Function("init", parameters, body: [body.flat])), modifiers: viewAccess)
    ]
  }

  // MARK: - Type cases and fragments

  private func cases(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    program[id].cases.map { child in
      let type = reference(to: child, from: id, in: scope)
      return Declaration(
        .property(
          Property(
            names.property(forTypeCase: child, structures.name(of: child), in: id),
            type: "\(type)?",
            storage("_asInlineFragment()", set: "_set(newValue)"))), modifiers: viewAccess)
    }
  }

  private func fragments(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    let set = program[id]
    guard !set.fragments.isEmpty || !set.deferredFragments.isEmpty else { return [] }
    let deferred = deferredViews(of: set, in: scope)
    let property = Declaration(
      .property(
        Property(
          "fragments", type: "Fragments",
          storage("Fragments(__object: __object)", set: "__object = newValue.__object"))),
      modifiers: viewAccess)
    let isDeferring = !deferred.isEmpty && !definition.isMutable
    let container = Declaration(
      .group(
        Group(
          "struct", "Fragments",
          inherits: [
            "ApolloAPI.GeneratedCode.\(isDeferring ? "Deferring" : mutability)FragmentContainer"
          ],
          members: (isDeferring ? object(.let(nil), deferring: deferred.map(\.name)) : object)
            + set.fragments.filter { !$0.isDeferred }.map { conversion(to: $0, in: scope) }
            + deferred.map { self.deferred($0.name, $0.type) })),
      modifiers: layout.typeModifiers(access))
    return [property] + set.forwardedFragments.map { forwarding(to: $0, in: scope) } + [container]
  }

  /// Returns the fragments whose data may arrive later: named ones, then inline ones.
  private func deferredViews(
    of set: SelectionSet, in scope: Scope
  ) -> [(name: String, type: String)] {
    set.fragments.filter(\.isDeferred).map {
      (
        Casing.loweringFirstLetter(names.definition(program[$0.fragment])),
        fragmentType($0.fragment, in: scope)
      )
    }
      + set.deferredFragments.map { id in
        (
          structures.property(forDeferred: id, in: program), reference(to: id, in: scope)
        )
      }
  }

  /// Renders a property that also reports whether its value is still to arrive. The value of a
  /// mutable object is looked up on each access.
  private func deferred(_ name: String, _ type: String) -> Declaration {
    let storage: Property.Storage =
      definition.isMutable
      ? .computed(getter: ["ApolloAPI.Deferred(__object: __object).wrappedValue"], setter: nil)
      : .var(nil)
    return Declaration(
      .property(Property(Identifier.escaped(name), type: "\(type)?", storage)),
      modifiers: (definition.isMutable ? [] : ["@ApolloAPI.Deferred"]) + access)
  }

  private func fragmentType(_ id: Definition.ID, in scope: Scope) -> String {
    let name = names.definition(program[id])
    return scope.reference(to: [name]) ?? "\(layout.namespace).\(name)"
  }

  private func conversion(to fragment: SelectionSet.VisibleFragment, in scope: Scope) -> Declaration
  {
    let type = fragmentType(fragment.fragment, in: scope)
    return Declaration(
      .property(
        Property(
          names.conversion(toType: names.definition(program[fragment.fragment])),
          type: fragment.isCertain ? type : "\(type)?",
          storage("_toFragment()", set: "_set(newValue)"))), modifiers: viewAccess)
  }

  /// Renders a subscript that forwards to a fragment's members, for fields that are nested too
  /// deeply to be merged.
  private func forwarding(to fragment: Definition.ID, in scope: Scope) -> Declaration {
    let type = fragmentType(fragment, in: scope)
    let property = names.conversion(toType: names.definition(program[fragment]))
    return Declaration(
      .function(
        Function(
          // A fragment may be called `Value` itself.
          "subscript<__Value>",
          [Parameter("dynamicMember path", type: "KeyPath<\(type), __Value>")],
          tail: "-> __Value", body: ["fragments.\(property)[keyPath: path]"])),
      modifiers: viewAccess)
  }
}

extension Renderer {
  /// Returns `true` if `id` alone is the key of the type, and the model has an accessor for it with
  /// this name: the rules of the configuration can give it another one.
  func isIdentifiable(_ id: SelectionSet.ID) -> Bool {
    let set = program[id]
    guard keyFields[set.parentTypeName] == ["id"], names.unescapedProperty("id", in: id) == "id"
    else { return false }
    let fields = set.ownFields + set.mergedFields.filter { !$0.isConditional }.map(\.field)
    return fields.contains { field in
      field.responseKey == "id" && field.name == "id" && field.conditions.isEmpty
        && field.type.isNonNull && field.nullability?.isSpecial(from: 0) != true
    }
  }
}
