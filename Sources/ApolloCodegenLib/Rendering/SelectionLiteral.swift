import ApolloIR
import enum GraphQLSyntax.JSONLiteral

/// The literal that describes a definition's selections.
///
/// The grammar is in `Documentation/Design/0001-models.md`.
struct SelectionLiteral {
  private(set) var text = ""
  /// The scalars and enums that `#0`, `#1` … refer to in types, in order of appearance.
  private(set) var leaves: [NamedType] = []
  /// The number of each selection set.
  private(set) var numbers: [SelectionSet.ID: Int] = [:]

  private let program: Program
  private let scalarName: (NamedType) -> String
  private let spreadFragments: [Definition.ID]
  /// `true` if errors of fields have no effect on models, because these can be changed.
  private let isMutable: Bool
  /// `true` if the selections of fragments take the place of their spreads.
  private let inlinesFragments: Bool
  /// `true` if selections are missing, because the literal would be too long.
  private(set) var isIncomplete = false
  /// The number of bytes from which on a literal with inlined fragments is too long: fragments that
  /// spread others more than once double it again and again.
  private static let greatestByteCount = 16 << 20

  /// - Parameters:
  ///   - definition: The operation or the fragment.
  ///   - program: The program of which it is a part.
  ///   - variables: The variables whose defaults are a part of the literal.
  ///   - inlinesFragments: `true` to write the selections of fragments in place of their spreads.
  ///     The literal needs no generated code then, and errors of fields have no effect.
  ///   - scalarName: Returns the name of a custom scalar in Swift, which is that of its file.
  init(
    _ definition: Definition, in program: Program, defaultsOf variables: [Variable],
    inliningFragments inlinesFragments: Bool = false,
    scalarName: @escaping (NamedType) -> String
  ) {
    self.inlinesFragments = inlinesFragments
    self.program = program
    self.scalarName = scalarName
    spreadFragments = definition.spreadFragments
    isMutable = definition.isMutable || inlinesFragments
    writeDefaults(variables)
    if let maxAge = definition.maxAge { text += "\(maxAge.graphQL) " }
    if definition.nullability.endsOperation, !isMutable { text += "@throwOnFieldError " }
    write(definition.root)
  }

  private mutating func writeDefaults(_ variables: [Variable]) {
    let defaults = variables.compactMap { variable in
      variable.defaultValue.map { "$\(variable.name) = \($0.graphQL)" }
    }
    if !defaults.isEmpty { text += "(\(defaults.joined(separator: " "))) " }
  }

  private mutating func write(_ id: SelectionSet.ID) {
    let set = program[id]
    numbers[id] = numbers.count
    text += set.parentTypeName
    text += " {"
    for merged in set.mergedFields {
      text += "+"
      text += merged.field.responseKey
      // Other selections may fill the slot with objects that lack the fields of this one.
      if merged.isConditional, merged.field.child != nil { write(merged.field.conditions) }
    }
    var isFirst = set.mergedFields.isEmpty
    for selection in set.selections {
      if !isFirst { text += " " }
      isFirst = false
      write(selection)
    }
    text += "}"
  }

  private mutating func write(_ selection: Selection) {
    switch selection {
    case .field(let field): write(field)
    case .inlineFragment(let id):
      text += "..."
      write(id)
      if case .inlineFragment(_, let conditions) = program[id].role { write(conditions) }
    case .fragmentSpread(let spread) where inlinesFragments:
      guard text.utf8.count < Self.greatestByteCount else {
        isIncomplete = true
        return
      }
      text += "..."
      write(program[spread.fragment].root)
      write(spread.conditions)
    case .fragmentSpread(let spread):
      guard let index = spreadFragments.firstIndex(of: spread.fragment) else {
        preconditionFailure("A definition lists every fragment that it spreads.")
      }
      text += "...#\(index)"
      write(spread.conditions)
    }
  }

  private mutating func write(_ field: Field) {
    text += field.responseKey
    if field.name != field.responseKey {
      text += ":"
      text += field.name
    }
    if !field.arguments.isEmpty { text += "(\(field.arguments))" }
    text += " "
    let nullability = isMutable ? nil : field.nullability
    write(nullability?.storedType(of: field.type) ?? field.type, field.child)
    if let maxAge = field.maxAge { text += " \(maxAge.graphQL)" }
    if let nullability {
      write("catch", nullability.caughtLevels)
      write("semanticNonNull", nullability.certainLevels)
      if let action = nullability.requiredAction {
        text += " @required(action: \(JSONLiteral.string(action.rawValue)))"
      }
    }
    if let connection = field.connection { write(connection) }
    for edit in field.listEdits { write(edit) }
    write(field.conditions)
  }

  private mutating func write(_ directive: String, _ levels: [Int]) {
    guard !levels.isEmpty else { return }
    text += " @\(directive)(levels: [\(levels.map(String.init).joined(separator: " "))])"
  }

  private mutating func write(_ connection: ConnectionDirective) {
    let key = connection.key.map { "key: \(JSONLiteral.string($0))" }
    let filters = connection.filters.map { filters in
      "filters: [\(filters.map(JSONLiteral.string).joined(separator: " "))]"
    }
    let arguments = [key, filters].compactMap { $0 }.joined(separator: " ")
    text += " @connection(\(arguments))"
  }

  private mutating func write(_ edit: FieldListEdit) {
    var arguments = edit.arguments
    var (included, skipped): ([String], [String]) = ([], [])
    for condition in edit.conditions {
      switch condition {
      case .include(let variable): included.append("$\(variable)")
      case .skip(let variable): skipped.append("$\(variable)")
      case .defer: continue  // the field is there as soon as it has arrived
      }
    }
    if !included.isEmpty { arguments.append("include: [\(included.joined(separator: " "))]") }
    if !skipped.isEmpty { arguments.append("skip: [\(skipped.joined(separator: " "))]") }
    text += " @\(edit.directive)(\(arguments.joined(separator: " ")))"
  }

  private mutating func write(_ type: ValueType, _ child: SelectionSet.ID?) {
    switch type {
    case .nonNull(let inner):
      write(inner, child)
      text += "!"
    case .list(let element):
      text += "["
      write(element, child)
      text += "]"
    case .named(let named):
      if let child { return write(child) }
      if named.kind == .builtInScalar { text += named.name } else { writeLeaf(named) }
    }
  }

  /// Writes the index of a scalar or an enum. The first one of a scalar has its name behind it, for
  /// the texts of errors.
  private mutating func writeLeaf(_ type: NamedType) {
    if let index = leaves.firstIndex(of: type) {
      text += "#\(index)"
      return
    }
    text += "#\(leaves.count)"
    if type.kind != .enum { text += ":\(scalarName(type))" }
    leaves.append(type)
  }

  private mutating func write(_ conditions: [Condition]) {
    for condition in conditions {
      switch condition {
      case .include(let variable): text += " @include(if: $\(variable))"
      case .skip(let variable): text += " @skip(if: $\(variable))"
      case .defer(let label, let variable):
        // The label of a named fragment can be any text, because no struct is named after it.
        text += " @defer(label: \(JSONLiteral.string(label))"
        text += "\(variable.map { " if: $\($0)" } ?? ""))"
      }
    }
  }
}

extension MaxAgeRule {
  /// The directive in GraphQL syntax.
  fileprivate var graphQL: String {
    switch self {
    case .seconds(let seconds): "@cacheControl(maxAge: \(seconds))"
    case .inherited: "@cacheControl(inheritMaxAge: true)"
    }
  }
}

extension InputLiteral {
  /// The value in GraphQL syntax.
  var graphQL: String {
    switch self {
    case .null: "null"
    case .int(let text), .float(let text), .enumValue(let text): text
    case .string(let text): JSONLiteral.string(text)
    case .boolean(let value): value ? "true" : "false"
    case .list(let items): "[\(items.map(\.graphQL).joined(separator: " "))]"
    case .object(let members):
      "{\(members.map { "\($0.name): \($0.value.graphQL)" }.joined(separator: " "))}"
    }
  }
}
