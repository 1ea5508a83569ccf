import ApolloIR
import SwiftSource

/// The models of one definition.
struct SelectionSetRenderer {
  let renderer: Renderer
  let literal: SelectionLiteral
  let definition: Definition

  private var program: Program { renderer.program }
  private var names: SwiftNames { renderer.names }
  private var structures: Structures { renderer.structures }
  private var layout: ModuleLayout { renderer.layout }
  private var access: [String] { layout.operationModifiers }
  /// That of what only looks at the object.
  private var viewAccess: [String] { renderer.emittedWhereUsed(access) }
  /// What the protocols of models whose properties can be set are called.
  private var mutability: String { definition.isMutable ? "Mutable" : "" }

  /// The struct of a selection set inside the struct around it.
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
    if renderer.isIdentifiable(set) { inherits.append("Identifiable") }
    members += self.members(of: id, in: scope)
    return Declaration(
      .group(Group("struct", name, inherits: inherits, members: members)),
      documentation: "Parent type: `\(set.parentTypeName)`", attributes: attributes(of: set),
      modifiers: layout.typeModifiers(access))
  }

  func attributes(of set: SelectionSet) -> [String] {
    set.forwardedFragments.isEmpty ? [] : ["@dynamicMemberLookup"]
  }

  /// The selection set of the object that an inline fragment looks at.
  private func entity(of id: SelectionSet.ID) -> SelectionSet.ID {
    var current = id
    while case .inlineFragment = program[current].role, let parent = program[current].parent {
      current = parent
    }
    return current
  }

  // MARK: - Members

  /// Everything inside the struct. `scope` is that of the struct itself.
  func members(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    storage(of: id, in: scope) + accessors(of: id, in: scope) + initializer(of: id, in: scope)
      + cases(of: id, in: scope) + fragments(of: id, in: scope)
      + structures.children(of: id).map { structure($0, in: scope) }
  }

  private func storage(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    guard let number = literal.numbers[id] else {
      preconditionFailure("The literal numbers every selection set of its definition.")
    }
    let type = [names.definition(definition)]
    let owner = scope.reference(to: type) ?? "\(layout.namespace).\(type[0])"
    return object + [
      Declaration(
        .property(
          Property(
            "__layout", type: "ApolloAPI.SelectionLayout",
            .unbroken("\(owner).__selections[\(number)]"))),
        modifiers: viewAccess + ["static"])
    ]
  }

  /// The object that a model or its fragments look at.
  ///
  /// One that cannot be changed is read by way of the protocols, which know that a view is nothing else.
  private var object: [Declaration] {
    guard definition.isMutable else {
      let object = Property("__storage", type: "ApolloAPI.ResponseObject", .let(nil))
      return [Declaration(.property(object), modifiers: ["private"])]
    }
    return object(.var(nil), deferring: [])
  }

  /// The object of what can be changed, or has more to store: fragments that may arrive later keep it for themselves.
  private func object(
    _ storage: Property.Storage, deferring properties: [String]
  ) -> [Declaration] {
    [
      Declaration(
        .property(Property("__object", type: "ApolloAPI.ResponseObject", storage)),
        modifiers: access),
      Declaration(
        .function(
          Function(
            "init", [Parameter("__object", type: "ApolloAPI.ResponseObject")],
            body: ["self.__object = __object"]
              + properties.map { "_\($0) = ApolloAPI.Deferred(__object: __object)" })),
        modifiers: access),
    ]
  }

  private func accessors(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    program[id].visibleFields.enumerated().map { index, merged in
      Declaration(
        .property(
          Property(
            names.property(merged.field.responseKey, in: id), type: type(of: merged, in: scope),
            storage(
              definition.isMutable ? "__object[\(index), Self.__layout]" : "__value(\(index))"))),
        documentation: renderer.documentation(merged.field.description),
        attributes: renderer.deprecation(merged.field.deprecationReason), modifiers: viewAccess)
    }
  }

  /// What a property computes, and how it is set where the model can be changed.
  private func storage(_ value: String, set setter: String? = nil) -> Property.Storage {
    let setter = definition.isMutable ? [setter ?? "\(value) = newValue"] : nil
    return .computed(getter: [value], setter: setter)
  }

  private func type(of merged: MergedField, in scope: Scope) -> String {
    let field = merged.field
    let structure = field.child.map { child in
      let path = structures.path(of: child)
      return scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
    }
    let type = merged.isConditional ? field.type.nullable : field.type
    return renderer.outputType(type, structure: structure, in: scope)
  }

  /// A memberwise initializer. The name of the object's type comes first, where it is not known.
  private func initializer(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    guard definition.hasInitializers else { return [] }
    let set = program[id]
    let isConcrete = program.isConcrete(set)
    let typename = set.visibleFields.filter { $0.field.responseKey == "__typename" && !isConcrete }
    let fields = typename + set.visibleFields.filter { $0.field.name != "__typename" }
    let parameters = fields.map { merged in
      let type = type(of: merged, in: scope)
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
      let path = structures.path(of: child)
      let type = scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
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
    guard !set.fragments.isEmpty || !set.deferredParts.isEmpty else { return [] }
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
          inherits: ["ApolloAPI.\(isDeferring ? "Deferring" : mutability)FragmentContainer"],
          members: (isDeferring ? object(.let(nil), deferring: deferred.map(\.name)) : object)
            + set.fragments.filter { !$0.isDeferred }.map { conversion(to: $0, in: scope) }
            + deferred.map { self.deferred($0.name, $0.type) })),
      modifiers: layout.typeModifiers(access))
    return [property] + set.forwardedFragments.map { forwarding(to: $0, in: scope) } + [container]
  }

  /// The fragments whose data may come later: named ones, then inline ones.
  private func deferredViews(
    of set: SelectionSet, in scope: Scope
  ) -> [(name: String, type: String)] {
    set.fragments.filter(\.isDeferred).map {
      (
        Casing.loweringFirstLetter(names.definition(program[$0.fragment])),
        fragmentType($0.fragment, in: scope)
      )
    }
      + set.deferredParts.map { id in
        let path = structures.path(of: id)
        return (
          Casing.loweringFirstLetter(structures.name(of: id)),
          scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
        )
      }
  }

  /// A property that also says whether its value is still to come. What a changed object has is looked up each time.
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

  private func conversion(to fragment: VisibleFragment, in scope: Scope) -> Declaration {
    let type = fragmentType(fragment.fragment, in: scope)
    return Declaration(
      .property(
        Property(
          names.conversion(toType: names.definition(program[fragment.fragment])),
          type: fragment.isCertain ? type : "\(type)?",
          storage("_toFragment()", set: "_set(newValue)"))), modifiers: viewAccess)
  }

  /// Shows what lies too deep to be merged, by way of the fragment that shows it.
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
  /// Whether `id` alone is the key of the type, and the model shows it.
  func isIdentifiable(_ set: SelectionSet) -> Bool {
    guard keyFields[set.parentTypeName] == ["id"] else { return false }
    let fields = set.ownFields + set.mergedFields.filter { !$0.isConditional }.map(\.field)
    return fields.contains { field in
      field.responseKey == "id" && field.name == "id" && field.conditions.isEmpty
        && field.type.isNonNull
    }
  }
}
