import ApolloIR
import SwiftSource

extension Renderer {
  /// Renders a default value as a Swift expression of the type that ``inputType(_:in:)`` returns.
  ///
  /// Returns `nil` if no expression compiles for every possible definition of the user's custom
  /// scalars.
  func swiftLiteral(_ value: InputLiteral, _ type: ValueType, in scope: Scope) -> String? {
    if case .nonNull(let inner) = type { return presentLiteral(value, inner, in: scope) }
    if value == .null { return ".null" }
    guard let literal = presentLiteral(value, type, in: scope) else { return nil }
    switch type.nullable {
    // `GraphQLNullable` cannot be initialized from the literals of these types.
    case .named(let named) where named.kind == .inputObject: return ".some(\(literal))"
    case .named where literal.hasPrefix(".init("): return ".some(\(literal))"
    default: return literal
    }
  }

  private func presentLiteral(_ value: InputLiteral, _ type: ValueType, in scope: Scope) -> String?
  {
    switch (type.nullable, value) {
    case (.list(let element), .list(let items)):
      let literals = items.compactMap { item in
        item == .null ? "nil" : presentLiteral(item, element, in: scope)
      }
      return literals.count == items.count ? "[\(literals.joined(separator: ", "))]" : nil
    case (.list(let element), _):
      // A single value is coerced to a list.
      return presentLiteral(value, element, in: scope).map { "[\($0)]" }
    case (.named(let named), _): return namedLiteral(value, named, in: scope)
    case (.nonNull, _): return nil
    }
  }

  private func namedLiteral(_ value: InputLiteral, _ type: NamedType, in scope: Scope) -> String? {
    switch (type.kind, value) {
    case (.enum, .enumValue(let name)): return enumLiteral(name, type)
    case (.inputObject, .object(let members)): return objectLiteral(members, type, in: scope)
    case (.builtInScalar, .boolean(let flag)): return flag ? "true" : "false"
    case (.builtInScalar, .int(let text)), (.builtInScalar, .float(let text)):
      return numberLiteral(text, type)
    case (.builtInScalar, .string(let text)): return SwiftString.escaped(text)
    default: return nil
    }
  }

  /// Renders the case of an enum, or its raw value if the case would warn, is not generated, or
  /// means something else where a nullable value is expected.
  ///
  /// `.none` in a list of nullable values is `nil`, without a warning of the compiler.
  private func enumLiteral(_ name: String, _ type: NamedType) -> String {
    let values = program.types.enums.first { $0.name == type.name }?.values
    let caseName = names.enumCase(name, of: type.name)
    let isDeprecated = values?.first { $0.name == name }?.deprecationReason != nil
    let isReserved = ReservedSwiftNames.enumMembers.contains(Identifier.unescaped(caseName))
    guard isDeprecated || isReserved else { return ".\(caseName)" }
    return ".init(rawValue: \(SwiftString.escaped(name)))"
  }

  /// Renders a number as the type that its position has.
  ///
  /// A literal without a decimal point is limited to the range of `Int`, and the compiler rounds
  /// long ones twice. Therefore a long number is written as the `Double` that the server reads.
  /// Returns `nil` for a number that no `Double` represents.
  private func numberLiteral(_ text: String, _ type: NamedType) -> String? {
    switch type.name {
    case "ID": return SwiftString.escaped(text)
    case "Int": return text
    default: break
    }
    guard let value = Double(text), value.isFinite else { return nil }
    let isZero = !text.prefix { $0 != "e" && $0 != "E" }.contains { "123456789".contains($0) }
    guard value != 0 || isZero else { return nil }
    // As an integer, zero has no sign.
    if isZero, value.sign == .minus { return "-0.0" }
    return text.count(where: \.isNumber) <= 15 ? text : "\(value)"
  }

  private func objectLiteral(
    _ members: [InputLiteral.Member], _ type: NamedType, in scope: Scope
  ) -> String? {
    guard let object = program.types.inputObjects.first(where: { $0.name == type.name }) else {
      return nil
    }
    let name = schemaType(type, in: scope)
    var arguments: [String] = []
    for field in object.fields {
      guard let member = members.first(where: { $0.name == field.name }) else { continue }
      let label = names.inputField(field.name, of: object.name)
      if object.isOneOf {
        return presentLiteral(member.value, field.type, in: scope).map {
          "\(name).\(Identifier.escaped(label))(\($0))"
        }
      }
      // An initializer with this argument would cause a warning in code that the user cannot
      // change.
      guard deprecation(field.deprecationReason).isEmpty,
        let literal = swiftLiteral(member.value, field.type, in: scope)
      else { return nil }
      arguments.append("\(Identifier.label(label)): \(literal)")
    }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }
}
