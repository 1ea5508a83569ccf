import ApolloIR

/// Prints a program as text that a reviewer can compare with the document it was lowered from.
///
/// Each selection set is printed where it is selected, with its number. Its lines are:
///
/// - `name: Type` for a field, `key = name: Type` for one with an alias,
/// - `... on Type` for an inline fragment, `...Name` for a fragment spread,
/// - `+ name: Type` for a field that is merged from elsewhere, with `?` if it can be absent, and
///   with the number of the selection set of its objects,
/// - `cases`, `fragments`, `forwarded` and `deferred` for what its model offers, by number or name.
struct ProgramPrinter {
  private let program: Program
  private var lines: [String] = []

  static func text(of program: Program) -> String {
    var printer = ProgramPrinter(program: program)
    for definition in program.definitions { printer.print(definition) }
    for field in program.hiddenFields {
      printer.add("hidden \(field.responseKey) on \(field.parentTypeName)")
    }
    printer.printTypes()
    printer.printMockFields()
    return printer.lines.joined(separator: "\n") + "\n"
  }

  private init(program: Program) { self.program = program }

  private mutating func add(_ line: String, _ depth: Int = 0) {
    lines.append(String(repeating: "  ", count: depth) + line)
  }

  private mutating func add(_ label: String, _ items: [String], _ depth: Int) {
    if !items.isEmpty { add("\(label): \(items.joined(separator: ", "))", depth) }
  }

  // MARK: - Definitions

  private mutating func print(_ definition: Definition) {
    let name = "\(definition.kind) \(definition.name)"
    let flags = [
      (definition.isDeferred, "deferred"), (definition.isMutable, "mutable"),
      (definition.hasInitializers, "initializers"),
    ].filter(\.0).map(\.1)
    add(flags.isEmpty ? name : "\(name) (\(flags.joined(separator: ", ")))")
    definition.description.map { add("description: \($0)", 1) }
    for variable in definition.variables {
      let value = variable.defaultValue.map { " = \(text(of: $0))" } ?? ""
      add(
        "$\(variable.name): \(text(of: variable.type))\(value)",
        1)
    }
    if !definition.text.isEmpty { add("text: \(definition.text)", 1) }
    add("sent with", definition.fragments.map { fragmentName($0) }, 1)
    add("spreads", definition.spreadFragments.map { fragmentName($0) }, 1)
    add("imports", definition.importedModules, 1)
    add("imports of fragments", definition.modulesOfFragments, 1)
    print(definition.root, "root", 1)
    lines.append("")
  }

  private func fragmentName(_ id: Definition.ID) -> String { program[id].name }

  // MARK: - Selection sets

  private mutating func print(_ id: SelectionSet.ID, _ label: String, _ depth: Int) {
    let set = program[id]
    add(
      "\(label) #\(id.index) on \(set.parentTypeName)\(set.isSynthesized ? " (synthesized)" : "")",
      depth)
    for selection in set.selections { print(selection, depth + 1) }
    for merged in set.mergedFields {
      let child = merged.field.child.map { ", see #\($0.index)" } ?? ""
      add("+ \(text(of: merged.field))\(merged.isConditional ? "?" : "")\(child)", depth + 1)
    }
    add("cases", set.cases.map { "#\($0.index)" }, depth + 1)
    add(
      "fragments",
      set.fragments.map { fragment in
        fragmentName(fragment.fragment) + (fragment.isCertain ? "" : "?")
          + (fragment.isDeferred ? " (deferred)" : "")
      }, depth + 1)
    add("forwarded", set.forwardedFragments.map { fragmentName($0) }, depth + 1)
    add("deferred", set.deferredFragments.map { "#\($0.index)" }, depth + 1)
  }

  private mutating func print(_ selection: Selection, _ depth: Int) {
    switch selection {
    case .field(let field):
      add(text(of: field) + text(of: field.conditions), depth)
      if let child = field.child { print(child, "set", depth + 1) }
    case .fragmentSpread(let spread):
      add("...\(fragmentName(spread.fragment))\(text(of: spread.conditions))", depth)
    case .inlineFragment(let id):
      guard case .inlineFragment(let type, let conditions) = program[id].role else { return }
      print(id, "...\(type.map { " on \($0.name)" } ?? "")\(text(of: conditions))", depth)
    }
  }

  private func text(of field: Field) -> String {
    let name = field.responseKey == field.name ? field.name : "\(field.responseKey) = \(field.name)"
    let arguments = field.arguments.isEmpty ? "" : "(\(field.arguments))"
    let deprecation = program.deprecationReason(of: field).map { " (deprecated: \($0))" } ?? ""
    return "\(name)\(arguments): \(text(of: field.type))\(deprecation)"
  }

  private func text(of conditions: [Condition]) -> String {
    conditions.map { condition in
      switch condition {
      case .include(let variable): " @include(\(variable))"
      case .skip(let variable): " @skip(\(variable))"
      case .defer(let label, let variable): " @defer(\(label)\(variable.map { " if \($0)" } ?? ""))"
      }
    }.joined()
  }

  // MARK: - Types and values

  private mutating func printTypes() {
    let types = program.types
    add("types")
    for type in types.scalars {
      add("scalar \(type.name)\(type.specifiedBy.map { " specified by \($0)" } ?? "")", 1)
    }
    for type in types.enums {
      let isSent = types.inputEnums.contains(type.name) ? " (sent)" : ""
      let values = type.values.map { value in
        value.name + (value.deprecationReason.map { " (deprecated: \($0))" } ?? "")
      }
      add("enum \(type.name)\(isSent): \(values.joined(separator: ", "))", 1)
    }
    for type in types.inputObjects {
      let fields = type.fields.map { field in
        "\(field.name): \(text(of: field.type))\(field.hasDefault ? " (has default)" : "")"
      }
      add(
        "input \(type.name)\(type.isOneOf ? " (oneOf)" : ""): \(fields.joined(separator: ", "))", 1)
    }
    for type in types.objects {
      add(
        line("object \(type.name)", type.interfaces, type.keyFields, type.fieldPolicies), 1)
    }
    for type in types.interfaces {
      add(
        line(
          "interface \(type.name)", type.implementingObjects, type.keyFields, type.fieldPolicies), 1
      )
    }
    for type in types.unions { add(line("union \(type.name)", type.possibleTypes), 1) }
  }

  private func line(
    _ name: String, _ others: [String], _ keyFields: [String]? = nil, _ policies: [FieldPolicy] = []
  ) -> String {
    let list = others.isEmpty ? "" : ": \(others.joined(separator: ", "))"
    let key = keyFields.map { "; key \($0.joined(separator: ", "))" } ?? ""
    let fields = policies.map { "; field \($0.field)(\($0.keyArguments.joined(separator: ", ")))" }
    return name + list + key + fields.joined()
  }

  private mutating func printMockFields() {
    add("mock fields")
    for (type, fields) in program.selectedFields().sorted(by: { $0.key < $1.key }) {
      let list = fields.map { "\($0.responseKey): \(text(of: $0.type))" }
      add("\(type): \(list.joined(separator: ", "))", 1)
    }
  }

  private func text(of type: ValueType) -> String {
    switch type {
    case .named(let named): named.name
    case .list(let element): "[\(text(of: element))]"
    case .nonNull(let inner): "\(text(of: inner))!"
    }
  }

  private func text(of value: InputLiteral) -> String {
    switch value {
    case .null: "null"
    case .int(let text), .float(let text), .enumValue(let text): text
    case .string(let text): "\"\(text)\""
    case .boolean(let value): "\(value)"
    case .list(let items): "[\(items.map(text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", "))}"
    }
  }
}
