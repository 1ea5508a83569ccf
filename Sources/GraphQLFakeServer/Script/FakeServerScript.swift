import enum ApolloAPI.JSONValue
import GraphQLSchema

/// The rules that a test has given for chosen fields. Of several that concern a field, the last one
/// counts.
struct FakeServerScript: Sendable {
  /// The error of a field.
  struct Failure: Sendable {
    let message: String
    let extensions: [String: JSONValue]
  }

  /// A rule's place of a field's value.
  enum Outcome: Sendable {
    case value(JSONValue)
    case failure(Failure)
  }

  private enum Effect: Sendable {
    case outcome(Outcome)
    case delay(Duration)
    /// The times before the events of a subscription.
    case events([Duration])
  }

  private struct Rule: Sendable {
    let path: String
    let pattern: FieldPattern
    let effect: Effect
    /// The number of fields that the rule still concerns; `nil` for all.
    var rest: Int?
    var isUsed = false
  }

  private var rules: [Rule] = []
  /// `false` if no rule concerns a field.
  private var concernsFields = false

  var isEmpty: Bool { !concernsFields }

  mutating func add(_ outcome: Outcome, at path: String, times: Int? = nil) {
    concernsFields = true
    rules.append(
      Rule(path: path, pattern: FieldPattern(path), effect: .outcome(outcome), rest: times))
  }

  mutating func delay(_ delay: Duration, at path: String) {
    concernsFields = true
    rules.append(Rule(path: path, pattern: FieldPattern(path), effect: .delay(delay)))
  }

  mutating func sendEvents(after delays: [Duration], at field: String) {
    rules.append(Rule(path: field, pattern: FieldPattern(field), effect: .events(delays)))
  }

  /// The paths of the rules that have concerned no field yet, in their order.
  var unusedPaths: [String] { rules.filter { !$0.isUsed }.map(\.path) }

  // MARK: Fields

  /// A field of an object, or an element of its list.
  struct Place {
    let path: [PathStep]
    /// The type of the object and the name of its field; `nil` for an element.
    let coordinate: (type: Schema.NamedType.ID, field: String)?
  }

  /// Returns the outcome of the last rule for a field, and the number of that rule; `nil` if its
  /// number is less than `first`. Only the rule that counts is used up.
  mutating func outcome(
    at place: Place, since first: Int, _ schema: Schema
  ) -> (outcome: Outcome, order: Int)? {
    var found: (outcome: Outcome, order: Int)?
    for index in rules.indices {
      guard case .outcome(let outcome) = rules[index].effect, rules[index].rest != 0,
        rules[index].pattern.matches(place, schema)
      else { continue }
      rules[index].isUsed = true
      if index >= first { found = (outcome, index) }
    }
    if let order = found?.order, let rest = rules[order].rest { rules[order].rest = rest - 1 }
    return found
  }

  /// Returns the time that the rules delay a field, or `nil` if they do not.
  mutating func delay(at place: Place, _ schema: Schema) -> Duration? {
    var found: Duration?
    for index in rules.indices {
      guard case .delay(let delay) = rules[index].effect,
        rules[index].pattern.matches(place, schema)
      else { continue }
      rules[index].isUsed = true
      found = delay
    }
    return found
  }

  /// Returns the times before the events of a subscription, or `nil` if no rule has them.
  mutating func eventTimes(of responseKey: String) -> [Duration]? {
    var found: [Duration]?
    for index in rules.indices where rules[index].path == responseKey {
      guard case .events(let times) = rules[index].effect else { continue }
      rules[index].isUsed = true
      found = times
    }
    return found
  }
}
