import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// Makes the values of variables and arguments of what a request has.
///
/// Spec: 6.1.2, "Coercing Variable Values"; 6.4.1, "Coercing Field Arguments"; 3.10, "Input
/// Objects", input coercion.
struct InputCoercion {
  /// A value that does not have its type.
  struct Misfit: Error {
    /// The position within the value, such as `.input.tags[1]`.
    var path: String
    let problem: String

    func within(_ step: String) -> Misfit { Misfit(path: step + path, problem: problem) }
  }

  let schema: Schema
  /// The document of the operation.
  let document: Document

  // MARK: Variables

  /// Returns the values of an operation's variables, and the problems with them.
  func variables(
    _ given: [String: JSONValue], of operation: GraphQLSyntax.OperationDefinition
  ) -> (values: [String: JSONValue], problems: [(message: String, span: SourceSpan)]) {
    var values: [String: JSONValue] = [:]
    var problems: [(message: String, span: SourceSpan)] = []
    for definition in document[operation.variables] {
      let name = document.spelling(definition.name)
      guard let type = schema.resolve(definition.type) else { continue }
      if let value = given[name] {
        do throws(Misfit) {
          values[name] = try coerce(value, as: type)
        } catch {
          problems.append(
            (
              "Variable '$\(name)' has an invalid value at '\(name)\(error.path)': \(error.problem)",
              definition.span
            ))
        }
      } else if let standard = definition.defaultValue {
        values[name] = constant(standard, in: document, as: type)
      } else if type.isNonNull {
        problems.append(
          (
            "Variable '$\(name)' of the type '\(schema.spelling(type))' has no value.",
            definition.span
          ))
      }
    }
    return (values, problems)
  }

  private func coerce(_ value: JSONValue, as type: ResolvedType) throws(Misfit) -> JSONValue {
    if value.isNull {
      guard !type.isNonNull else {
        throw Misfit(path: "", problem: "null is no '\(schema.spelling(type))'.")
      }
      return .null
    }
    if let item = type.item {
      // A single value stands for a list with that item.
      guard case .array(let items) = value else { return .array([try coerce(value, as: item)]) }
      var result: [JSONValue] = []
      for (index, element) in items.enumerated() {
        do throws(Misfit) {
          result.append(try coerce(element, as: item))
        } catch {
          throw error.within("[\(index)]")
        }
      }
      return .array(result)
    }
    let named = type.namedType
    switch schema[named].kind {
    case .inputObject: return try coerceObject(value, as: named)
    case .enum, .scalar:
      if let fitting = leaf(value, as: named) { return fitting }
    case .object, .interface, .union: break
    }
    throw Misfit(path: "", problem: "\(value) is no '\(schema.name(of: named))'.")
  }

  /// Returns the value of a leaf, or `nil` if it does not fit.
  private func leaf(_ value: JSONValue, as type: Schema.NamedType.ID) -> JSONValue? {
    switch (schema.name(of: type), value) {
    case ("Int", .double(let number)): return Int32(exactly: number).map { .int(Int64($0)) }
    case ("ID", .int(let number)): return .string("\(number)")
    case ("Float", .int), ("Float", .double), ("Float", .decimal): return float(value)
    default:
      // In an expression, `nil` would be a JSON null.
      guard schema.accepts(value, as: ResolvedType(type)) else { return nil }
      return value
    }
  }

  /// Returns the one form of a `Float`. A whole number is `.int`, so that `7` and `7.0` are the
  /// same argument and the same key.
  ///
  /// Spec: 3.5.2, "Float", input coercion.
  private func float(_ value: JSONValue) -> JSONValue {
    guard let number = value.doubleValue, number.isFinite else { return value }
    return Int64(exactly: number).map { .int($0) } ?? .double(number)
  }

  private func coerceObject(
    _ value: JSONValue, as type: Schema.NamedType.ID
  ) throws(Misfit) -> JSONValue {
    let name = schema.name(of: type)
    guard case .object(let members) = value else {
      throw Misfit(path: "", problem: "\(value) is no object of the type '\(name)'.")
    }
    var rest = members
    var result: [String: JSONValue] = [:]
    for id in schema[type].inputFields {
      let field = schema.spelling(schema[id].name)
      guard let member = rest.removeValue(forKey: field) else {
        if let standard = standardValue(of: id) {
          result[field] = standard
        } else if schema[id].type.isNonNull {
          throw Misfit(path: ".\(field)", problem: "The field is required and has no value.")
        }
        continue
      }
      do throws(Misfit) {
        result[field] = try coerce(member, as: schema[id].type)
      } catch {
        throw error.within(".\(field)")
      }
    }
    if let unknown = rest.keys.min() {
      throw Misfit(path: ".\(unknown)", problem: "'\(name)' has no such field.")
    }
    if schema[type].isOneOf { try checkOneOf(members, name) }
    return .object(result)
  }

  /// Spec: 3.10.1, "OneOf Input Objects".
  private func checkOneOf(_ members: [String: JSONValue], _ name: String) throws(Misfit) {
    guard members.count == 1, let member = members.first, !member.value.isNull else {
      throw Misfit(
        path: "", problem: "'\(name)' needs exactly one field with a value that is not null.")
    }
  }

  private func standardValue(of id: Schema.InputValue.ID) -> JSONValue? {
    schema.defaultValue(of: id).map {
      constant($0, in: schema.document, as: schema[id].type)
    }
  }

  /// Returns the value of a literal without variables.
  private func constant(
    _ value: Value, in document: Document, as type: ResolvedType
  ) -> JSONValue {
    // Only variables do not fit.
    (try? literal(value, in: document, [:], as: type)) ?? .null
  }

  // MARK: Arguments

  /// Returns the values of a field's or a directive's arguments by name.
  ///
  /// The document is valid and so are the variables, so the values have their types.
  func arguments(
    _ given: GraphQLSyntax.Argument.List, for definitions: NodeList<Schema.InputValue>,
    _ variables: [String: JSONValue]
  ) throws(FieldError) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for id in definitions {
      let definition = schema[id]
      let name = schema.spelling(definition.name)
      let argument = document[given].first { $0.name.symbol == definition.name }
      if let argument, !isMissingVariable(argument.value, variables) {
        let value: JSONValue
        do throws(Misfit) {
          value = try literal(argument.value, in: document, variables, as: definition.type)
        } catch {
          throw FieldError(
            "The argument '\(name)' has an invalid value at '\(name)\(error.path)': \(error.problem)"
          )
        }
        guard !value.isNull || !definition.type.isNonNull else {
          throw FieldError("The argument '\(name)' of a non-null type is null.")
        }
        values[name] = value
      } else if let standard = standardValue(of: id) {
        values[name] = standard
      } else if definition.type.isNonNull {
        throw FieldError("The argument '\(name)' is required and has no value.")
      }
    }
    return values
  }

  private func isMissingVariable(_ value: Value, _ variables: [String: JSONValue]) -> Bool {
    guard case .variable(let symbol) = value.content else { return false }
    return variables[document.spelling(symbol)] == nil
  }

  /// Returns the value of a literal, with the default values of input objects.
  ///
  /// - Throws: ``Misfit`` if a variable within a list or an object is null where that is not
  ///   allowed.
  private func literal(
    _ value: Value, in document: Document, _ variables: [String: JSONValue],
    as type: ResolvedType?, isNested: Bool = false
  ) throws(Misfit) -> JSONValue {
    if let item = type?.item {
      switch value.content {
      case .list, .null, .variable: break
      default: return .array([try literal(value, in: document, variables, as: item)])
      }
    }
    switch value.content {
    case .variable(let symbol):
      let value = variables[document.spelling(symbol)] ?? .null
      if isNested, value.isNull, let type, type.isNonNull {
        throw Misfit(path: "", problem: "null is no '\(schema.spelling(type))'.")
      }
      return value
    case .int, .float:
      let text = document.text(of: value.span)
      let name = type.map { schema.name(of: $0.namedType) }
      if name == "ID" { return .string(text) }
      let number = number(of: text)
      return name == "Float" ? float(number) : number
    case .string(let string): return .string(document.string(string))
    case .boolean(let value): return .bool(value)
    case .null: return .null
    case .enum(let symbol): return .string(document.spelling(symbol))
    case .list(let items):
      var values: [JSONValue] = []
      for (index, item) in document[items].enumerated() {
        do throws(Misfit) {
          values.append(
            try literal(item, in: document, variables, as: type?.item, isNested: true))
        } catch {
          throw error.within("[\(index)]")
        }
      }
      return .array(values)
    case .object(let fields): return try object(fields, in: document, variables, as: type)
    }
  }

  /// Returns the value of a number's literal with all of its digits.
  private func number(of text: String) -> JSONValue {
    if let number = Int64(text) { return .int(number) }
    // A number of GraphQL is one of JSON, so reading it does not fail.
    return (try? JSONValue(jsonBytes: Array(text.utf8))) ?? .decimal(text)
  }

  private func object(
    _ fields: ObjectField.List, in document: Document, _ variables: [String: JSONValue],
    as type: ResolvedType?
  ) throws(Misfit) -> JSONValue {
    var members: [String: JSONValue] = [:]
    let input = type.flatMap { schema[$0.namedType].kind == .inputObject ? $0.namedType : nil }
    for field in document[fields] {
      if case .variable(let symbol) = field.value.content,
        variables[document.spelling(symbol)] == nil
      {
        continue
      }
      let definition = input.flatMap { schema.inputField(field.name.symbol, of: $0) }
      let name = document.spelling(field.name)
      do throws(Misfit) {
        members[name] = try literal(
          field.value, in: document, variables, as: definition.map { schema[$0].type },
          isNested: true)
      } catch {
        throw error.within(".\(name)")
      }
    }
    guard let input else { return .object(members) }
    for id in schema[input].inputFields {
      let name = schema.spelling(schema[id].name)
      if members[name] == nil, let standard = standardValue(of: id) { members[name] = standard }
    }
    return .object(members)
  }
}
