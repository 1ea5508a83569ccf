import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// Makes up values for the variables of an operation.
struct VariableMaker {
  let schema: Schema
  let document: Document
  /// The value of Boolean variables, which decide about fields.
  var flag = true

  func variables(of operation: OperationDefinition) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for variable in document[operation.variables] {
      guard let type = schema.resolve(variable.type), variable.defaultValue == nil || type.isNonNull
      else { continue }
      // A variable can be given although it is nullable, and Boolean ones decide about fields.
      values[document.spelling(variable.name)] = value(type, depth: 0)
    }
    return values
  }

  private func value(_ type: ResolvedType, depth: Int) -> JSONValue {
    if !type.isNonNull, depth > 2 { return .null }
    if let item = type.item { return depth > 8 ? [] : [value(item, depth: depth + 1)] }
    let named = type.namedType
    switch schema[named].kind {
    case .enum:
      let first = schema[schema[named].enumValues].first
      return first.map { .string(schema.spelling($0.name)) } ?? .null
    case .inputObject:
      var members: [String: JSONValue] = [:]
      for field in schema[schema[named].inputFields] {
        if schema[named].isOneOf {
          guard members.isEmpty else { break }
          members[schema.spelling(field.name)] = value(field.type.nonNull, depth: depth + 1)
        } else if field.type.isNonNull && !field.hasDefaultValue || depth == 0 {
          members[schema.spelling(field.name)] = value(field.type, depth: depth + 1)
        }
      }
      return .object(members)
    default:
      switch schema.name(of: named) {
      case "Int": return 2
      case "Float": return 1.5
      case "Boolean": return .bool(flag)
      case "ID": return "id-1"
      default: return "text"
      }
    }
  }
}
