extension FieldFacts {
  /// The errors about a field's value, or about an element of its lists.
  struct PlacedErrors {
    static let none = PlacedErrors(errors: [], depth: 0)

    /// In the order of the response.
    private(set) var errors: [GraphQLError]
    /// The length of the path to the value or element.
    private let depth: Int

    var first: GraphQLError? { errors.first }

    fileprivate init(errors: [GraphQLError], depth: Int) {
      self.errors = errors
      self.depth = depth
    }

    /// The errors about the elements of the list, by index.
    ///
    /// - Complexity: O(*n*) in the errors.
    var byIndex: [Int: PlacedErrors] {
      errors.reduce(into: [:]) { elements, error in
        guard let path = error.path, path.count > depth, case .index(let index) = path[depth]
        else { return }
        elements[index, default: PlacedErrors(errors: [], depth: depth + 1)].errors.append(error)
      }
    }
  }
}

extension ResponseObject {
  /// Returns whether the field with an index in the layout has errors.
  package func hasErrors(ofField index: Int) -> Bool {
    guard let facts = fieldFacts, !facts.errors.isEmpty else { return false }
    return facts.errors[layout.fields[index].responseKey]?.isEmpty == false
  }

  /// Returns the errors about the value of a field.
  func placedErrors(ofField key: String) -> FieldFacts.PlacedErrors {
    guard let facts = fieldFacts, let errors = facts.errors[key] else { return .none }
    return FieldFacts.PlacedErrors(errors: errors, depth: facts.depth + 1)
  }
}

extension GraphQLError {
  /// The error of a null where the schema says that there is none, and that no error of the server
  /// explains.
  static func unexplainedNull(
    of key: String, in parentType: String, path: [PathEntry]?
  ) -> GraphQLError {
    GraphQLError(
      message: "'\(key)' of '\(parentType)' is null, which it must not be, and no error explains "
        + "it.",
      path: path)
  }

  /// The error of a null that makes the object around it null (`@required`).
  static func requiredNull(
    of key: String, in parentType: String, path: [PathEntry]?
  ) -> GraphQLError {
    GraphQLError(
      message: "'\(key)' of '\(parentType)' is null, and '@required' asks for a value.", path: path)
  }

  /// The error of a value that is not there.
  static func missingValue(of key: String, in parentType: String) -> GraphQLError {
    GraphQLError(
      message: "'\(key)' of '\(parentType)' is not in the data. Fetch it, or let a mock have it.")
  }
}
