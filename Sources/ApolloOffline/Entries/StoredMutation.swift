public import ApolloAPI
import ApolloCache

/// A mutation as the queue sends it: the operation of a type, with variables from the file.
///
/// Interceptors and transports see this type in place of the mutation's own.
public struct StoredMutation<Mutation: GraphQLMutation>: GraphQLMutation {
  /// The same as that of the mutation.
  public typealias Data = Mutation.Data
  /// The same as that of the mutation.
  public typealias ResponseFormat = Mutation.ResponseFormat

  /// The same as that of the mutation.
  public static var operationName: String { Mutation.operationName }
  /// The same as that of the mutation.
  public static var operationDocument: OperationDocument { Mutation.operationDocument }
  /// The same as those of the mutation.
  public static var __selections: GeneratedCode.Selections { Mutation.__selections }

  /// The values of the variables.
  public let __variables: Variables?

  /// The mutation with these values of its variables.
  public init(variables: Variables?) { __variables = variables }

  /// The mutation with the values of another one.
  public init(_ mutation: Mutation) { __variables = mutation.__variables }
}

extension GraphQLResponse {
  /// The response to the mutation of the program's own type.
  func response<Mutation: GraphQLMutation>(
    to mutation: Mutation.Type
  ) -> GraphQLResponse<Mutation> where Operation == StoredMutation<Mutation> {
    GraphQLResponse<Mutation>(result)
  }
}

extension JSONValue {
  /// The variables of an operation, in the order of their names.
  var variables: Variables {
    var variables = Variables()
    for (name, value) in (objectValue ?? [:]).sorted(by: { $0.key < $1.key }) {
      variables[name] = value
    }
    return variables
  }

  /// The value as text in UTF-8.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// Calls `body` with each text in the value.
  func forEachText(_ body: (String) -> Void) {
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .string(let text):
        body(text)
        for identifier in ListID.identifiers(in: text) { body(identifier) }
      case .array(let elements): rest += elements
      case .object(let members): rest += members.values
      default: break
      }
    }
  }

  /// The same value with other texts in place of some.
  func replacingTexts(_ new: [String: String]) -> JSONValue {
    guard !new.isEmpty else { return self }
    switch self {
    case .string(let text): return .string(new[text] ?? ListID.replacing(new, in: text))
    case .array(let elements): return .array(elements.map { $0.replacingTexts(new) })
    case .object(let members): return .object(members.mapValues { $0.replacingTexts(new) })
    default: return self
    }
  }
}
