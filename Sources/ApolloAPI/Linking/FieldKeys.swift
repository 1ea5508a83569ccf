/// The cache field keys for one set of variables: the name of a field in the schema with its
/// arguments.
///
/// `hero(episode:"JEDI")`, `height(unit:"METER")`, `friends`. Arguments come in ascending order of
/// their names, enum values are strings like their variables, an argument whose variable is absent
/// is absent, and numbers of equal value have equal text. Each key is made once. Not `Sendable`:
/// one thread at a time may use it.
package final class FieldKeys {
  private let variables: Variables?
  private let defaults: [String: JSONValue]
  /// The keys of fields whose arguments contain variables, of any plan.
  private var keys: [Field: String] = [:]

  private struct Field: Hashable {
    let name: String
    let arguments: [FieldSelection.Argument]
  }

  /// - Parameters:
  ///   - layout: A selection set of the operation, whose variables may have defaults.
  ///   - variables: The values of the variables.
  package init(_ layout: SelectionLayout, variables: Variables?) {
    self.variables = variables
    self.defaults = layout.node.definition.variableDefaults
  }

  /// Returns the cache field key of a field.
  package func key(of field: FieldLayout) -> String {
    guard field.hasVariables else { return field.staticKey }
    let known = Field(name: field.name, arguments: field.arguments)
    if let key = keys[known] { return key }
    let key = field.name + text(of: field.arguments)
    keys[known] = key
    return key
  }

  /// Returns the values of a field's arguments, without those whose variable is absent.
  package func arguments(of field: FieldLayout) -> [String: JSONValue] {
    field.arguments.reduce(into: [:]) { $0[$1.name] = value(of: $1.value) }
  }

  /// Returns the key of a field with these arguments.
  package static func key(name: String, _ arguments: [String: JSONValue]) -> String {
    let sorted = arguments.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return name + FieldLayout.text(of: sorted)
  }

  private func text(of arguments: [FieldSelection.Argument]) -> String {
    let present = arguments.sorted { $0.name < $1.name }
      .compactMap { argument in value(of: argument.value).map { (argument.name, $0) } }
    return FieldLayout.text(of: present)
  }

  private func value(of argument: ArgumentValue) -> JSONValue? {
    switch argument {
    case .constant(let value): value
    case .variable(let name): variables?[name] ?? defaults[name]
    case .list(let elements): .array(elements.map { value(of: $0) ?? .null })
    case .object(let members): .object(members.compactMapValues(value(of:)))
    }
  }
}

extension FieldLayout {
  /// Returns the cache field key for arguments without variables.
  static func staticKey(name: String, _ arguments: [FieldSelection.Argument]) -> String {
    name
      + text(
        of: arguments.sorted { $0.name < $1.name }.compactMap { argument in
          argument.value.constant.map { (argument.name, $0) }
        })
  }

  /// Returns `(episode:"JEDI",first:10)`, or nothing without arguments.
  fileprivate static func text(of arguments: [(name: String, value: JSONValue)]) -> String {
    guard !arguments.isEmpty else { return "" }
    let list = arguments.map { "\($0.name):\($0.value.withCanonicalNumbers)" }
    return "(\(list.joined(separator: ",")))"
  }
}

extension JSONValue {
  /// The value with integers for all integral numbers, so that `4.0` and `4` give the same text.
  package var withCanonicalNumbers: JSONValue {
    switch self {
    case .double(let value): Int64(exactly: value).map(JSONValue.int) ?? self
    case .array(let elements): .array(elements.map(\.withCanonicalNumbers))
    case .object(let members): .object(members.mapValues(\.withCanonicalNumbers))
    default: self
    }
  }
}
