import GraphQLSchema

/// The fields that a rule of a test concerns.
///
/// | pattern | fields |
/// | :-- | :-- |
/// | `hero.friends.name` | The name of each friend of the hero. |
/// | `hero.friends.0.name` | The name of the first one. |
/// | `hero.friends.*` | Each friend. |
/// | `Human.name` | The name of each object of the type, which can be an interface or a union. |
struct FieldPattern: Sendable {
  private let steps: [String]

  init(_ text: String) { steps = text.split(separator: ".").map(String.init) }

  /// Returns the number of steps from the root on, or 0 if the pattern has a type and a field: the
  /// greater it is, the fewer fields the pattern concerns.
  func depth(in schema: Schema) -> Int {
    let isOfType = steps.count == 2 && schema.type(named: steps[0]) != nil
    return isOfType ? 0 : steps.count
  }

  /// Returns `true` if the rule concerns a field, or an element of its list.
  func matches(_ place: FakeServerScript.Place, _ schema: Schema) -> Bool {
    if let coordinate = place.coordinate, steps.count == 2, steps[1] == coordinate.field,
      let type = schema.type(named: steps[0]), schema.isSubtype(coordinate.type, of: type)
    {
      return true
    }
    return matches(place.path[...], steps[...])
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
