import ApolloIR
import SwiftSource

/// The models of one definition.
struct SelectionSetRenderer {
  let renderer: Renderer
  let structures: Structures
  let literal: SelectionLiteral
  let definition: Definition

  private var program: Program { renderer.program }
  private var names: SwiftNames { renderer.names }
  private var layout: Layout { renderer.layout }
  private var access: [String] { layout.operationModifiers }

  /// The struct of a selection set inside the struct around it.
  func structure(_ id: SelectionSet.ID, in scope: Scope) -> Declaration {
    let set = program[id]
    let name = structures.name(of: id)
    var inherits: [String]
    var members: [Declaration] = []
    if case .inlineFragment = set.role {
      inherits = ["\(layout.namespace).InlineFragment"]
      let root = structures.path(of: entity(of: id))
      let target = scope.reference(to: root) ?? root.joined(separator: ".")
      members.append(
        Declaration(.typeAlias(name: "RootEntityType", target: target), modifiers: access))
    } else {
      inherits = ["\(layout.namespace).SelectionSet"]
    }
    if renderer.isIdentifiable(set) { inherits.append("Identifiable") }
    members += self.members(of: id, in: scope.entering(name, nested: structures.childNames(of: id)))
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
    storage(of: id, in: scope) + accessors(of: id, in: scope) + cases(of: id, in: scope)
      + fragments(of: id, in: scope) + structures.children(of: id).map { structure($0, in: scope) }
  }

  private func storage(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    guard let number = literal.numbers[id] else {
      preconditionFailure("The literal numbers every selection set of its definition.")
    }
    let type = [names.definition(definition)]
    let owner = scope.reference(to: type) ?? "\(layout.namespace).\(type[0])"
    return [
      Declaration(
        .property(Property("__object", type: "ResponseObject", .let(nil))), modifiers: access),
      Declaration(
        .function(
          Function(
            "init", [Parameter("__object", type: "ResponseObject")],
            body: ["self.__object = __object"])), modifiers: access),
      Declaration(
        .property(Property("__layout", type: nil, .let(.code("\(owner).__selections[\(number)]")))),
        modifiers: access + ["static"]),
    ]
  }

  private func accessors(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    let set = program[id]
    let own = set.ownFields.map { MergedField(field: $0, isConditional: !$0.conditions.isEmpty) }
    return (own + set.mergedFields).enumerated().map { index, merged in
      accessor(merged, slot: index, in: scope)
    }
  }

  private func accessor(_ merged: MergedField, slot: Int, in scope: Scope) -> Declaration {
    let field = merged.field
    let structure = field.child.map { child in
      let path = structures.path(of: child)
      return scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
    }
    let type = merged.isConditional ? field.type.nullable : field.type
    return Declaration(
      .property(
        Property(
          names.property(field.responseKey),
          type: renderer.outputType(type, structure: structure, in: scope),
          ["__object[\(slot), Self.__layout]"])),
      documentation: renderer.documentation(field.description),
      attributes: renderer.deprecation(field.deprecationReason), modifiers: access)
  }

  // MARK: - Type cases and fragments

  private func cases(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    program[id].cases.map { child in
      let path = structures.path(of: child)
      let type = scope.reference(to: path) ?? "\(layout.namespace).\(path.joined(separator: "."))"
      return Declaration(
        .property(
          Property(
            names.conversion(toType: structures.name(of: child)), type: "\(type)?",
            ["_asInlineFragment()"])), modifiers: access)
    }
  }

  private func fragments(of id: SelectionSet.ID, in scope: Scope) -> [Declaration] {
    let set = program[id]
    guard !set.fragments.isEmpty else { return [] }
    let property = Declaration(
      .property(
        Property("fragments", type: "Fragments", ["Fragments(__object: __object)"])),
      modifiers: access)
    let container = Declaration(
      .group(
        Group(
          "struct", "Fragments", inherits: ["FragmentContainer"],
          members: [
            Declaration(
              .property(Property("__object", type: "ResponseObject", .let(nil))), modifiers: access),
            Declaration(
              .function(
                Function(
                  "init", [Parameter("__object", type: "ResponseObject")],
                  body: ["self.__object = __object"])), modifiers: access),
          ] + set.fragments.map { conversion(to: $0, in: scope) })),
      modifiers: layout.typeModifiers(access))
    return [property] + set.forwardedFragments.map { forwarding(to: $0, in: scope) } + [container]
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
          type: fragment.isCertain ? type : "\(type)?", ["_toFragment()"])), modifiers: access)
  }

  /// Shows what lies too deep to be merged, by way of the fragment that shows it.
  private func forwarding(to fragment: Definition.ID, in scope: Scope) -> Declaration {
    let type = fragmentType(fragment, in: scope)
    let property = names.conversion(toType: names.definition(program[fragment]))
    return Declaration(
      .function(
        Function(
          "subscript<Value>", [Parameter("dynamicMember path", type: "KeyPath<\(type), Value>")],
          tail: "-> Value", body: ["fragments.\(property)[keyPath: path]"])), modifiers: access)
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
