import GraphQLSchema

/// The fields that a rule of a test concerns.
///
/// | pattern | fields |
/// | :-- | :-- |
/// | `hero.friends.name` | The name of each friend of the hero. |
/// | `hero.friends.0.name` | The name of the first one. |
/// | `hero.friends.*` | Each friend. |
/// | `Human.name` | The name of each object of the type. |
struct FieldPattern: Sendable {
  private let steps: [String]

  init(_ text: String) { steps = text.split(separator: ".").map(String.init) }

  /// Returns `true` if the rule concerns a field, or an element of its list.
  ///
  /// - Parameters:
  ///   - path: The path of the field or element in the response.
  ///   - coordinate: The type and the name of the field, for the value of the whole field.
  /// - Returns: `false` if it does not.
  func matches(_ path: [PathStep], _ coordinate: (type: String, field: String)?) -> Bool {
    if let coordinate, steps == [coordinate.type, coordinate.field] { return true }
    return matches(path[...], steps[...])
  }

  private func matches(_ path: ArraySlice<PathStep>, _ steps: ArraySlice<String>) -> Bool {
    var (path, steps) = (path, steps)
    while let step = path.popFirst() {
      switch step {
      case .key(let key): guard steps.popFirst() == key else { return false }
      case .index(let index):
        if let next = steps.first, next == "*" || Int(next) == index {
          steps.removeFirst()
        } else if path.isEmpty || steps.first.flatMap({ Int($0) }) != nil {
          // The pattern is of the list, or of another element.
          return false
        }
      }
    }
    return steps.isEmpty
  }
}
