// `print(response)` shows what a program asked for, and nothing that the library keeps beside it.

extension GraphQLResponse: CustomDebugStringConvertible {
  /// The source, the data, the errors and the extensions, as indented JSON.
  public var debugDescription: String {
    "\(Self.self) from the \(source) "
      + responseJSON(data?.jsonValue, errors, extensions, missing).indented()
  }
}

extension GraphQLResult: CustomDebugStringConvertible {
  /// The source, the data, the errors and the extensions, as indented JSON.
  public var debugDescription: String {
    "\(Self.self) from the \(source) "
      + responseJSON(data?.jsonValue, errors, extensions, missing).indented()
  }
}

/// Returns the parts of a response that are present.
private func responseJSON(
  _ data: JSONValue?, _ errors: [GraphQLError]?, _ extensions: [String: JSONValue]?,
  _ missing: [ResponsePath]
) -> JSONValue {
  var members: [String: JSONValue] = ["data": data ?? .null]
  members["errors"] = errors.map { .array($0.map(\.jsonValue)) }
  members["extensions"] = extensions.map(JSONValue.object)
  if !missing.isEmpty { members["missing"] = .array(missing.map { .string($0.dotted) }) }
  return .object(members)
}

extension GraphQLError {
  /// The error as the server sent it.
  fileprivate var jsonValue: JSONValue {
    var members: [String: JSONValue] = ["message": .string(message)]
    members["path"] = path.map { path in
      .array(
        path.map { entry in
          switch entry {
          case .field(let key): .string(key)
          case .index(let index): .int(Int64(index))
          }
        })
    }
    members["locations"] = locations.map { locations in
      .array(locations.map { ["line": .int(Int64($0.line)), "column": .int(Int64($0.column))] })
    }
    members["extensions"] = extensions.map(JSONValue.object)
    return .object(members)
  }
}
