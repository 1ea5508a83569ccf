/// A variable in a configuration that the environment does not have.
package struct UnsetVariable: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the variable.
  package let name: String
  /// The place of the text with the variable, such as `the header 'Authorization'`.
  package let place: String

  /// The problem, and the way to fix it.
  package var description: String {
    "The environment has no variable '\(name)', which \(place) refers to. "
      + "Set it before running the command."
  }
}

extension ApolloCodegenConfiguration.SchemaDownload {
  /// Returns the settings with the values of environment variables in place of `${NAME}`.
  ///
  /// Addresses, keys and the values of headers can name variables, so that secrets need not be in a
  /// file of the project.
  ///
  /// - Parameter variable: Returns the value of a variable, or `nil` if it is not set.
  /// - Returns: The settings to use.
  /// - Throws: ``UnsetVariable`` for the first variable that is not set.
  package func replacingVariables(
    _ variable: (String) -> String?
  ) throws(UnsetVariable) -> Self {
    var result = self
    switch method {
    case .introspection(var introspection):
      introspection.endpointURL = try Self.replacing(
        in: introspection.endpointURL, of: "the address of the server", variable)
      result.method = .introspection(introspection)
    case .apolloRegistry(var registry):
      registry.apiKey = try Self.replacing(in: registry.apiKey, of: "'apiKey'", variable)
      result.method = .apolloRegistry(registry)
    }
    for index in result.headers.indices {
      result.headers[index].value = try Self.replacing(
        in: headers[index].value, of: "the header '\(headers[index].key)'", variable)
    }
    return result
  }

  /// Returns `text` with the values of variables. A dollar sign that is not followed by a name in
  /// braces stays.
  private static func replacing(
    in text: String, of place: String, _ variable: (String) -> String?
  ) throws(UnsetVariable) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      result += rest[..<start.lowerBound]
      let after = rest[start.upperBound...]
      guard let end = after.firstIndex(of: "}"), isName(after[..<end]) else {
        result += rest[start]
        rest = after
        continue
      }
      let name = String(after[..<end])
      guard let value = variable(name) else { throw UnsetVariable(name: name, place: place) }
      result += value
      rest = after[after.index(after: end)...]
    }
    return result + rest
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, !first.isNumber else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
