import enum ApolloAPI.JSONValue

/// The rules that a test has given for chosen fields. Of several that concern a field, the last one
/// counts.
struct FakeServerScript: Sendable {
  private var values: [(pattern: FieldPattern, value: JSONValue)] = []
  private var failures: [(pattern: FieldPattern, message: String)] = []
  private var delays: [(pattern: FieldPattern, delay: Duration)] = []

  mutating func set(_ value: JSONValue, at path: String) {
    values.append((FieldPattern(path), value))
  }

  mutating func fail(_ message: String, at path: String) {
    failures.append((FieldPattern(path), message))
  }

  mutating func delay(_ delay: Duration, at path: String) {
    delays.append((FieldPattern(path), delay))
  }

  var isEmpty: Bool { values.isEmpty && failures.isEmpty && delays.isEmpty }

  func value(at path: [PathStep], _ coordinate: (type: String, field: String)?) -> JSONValue? {
    values.last { $0.pattern.matches(path, coordinate) }?.value
  }

  func failure(at path: [PathStep], _ coordinate: (type: String, field: String)?) -> String? {
    failures.last { $0.pattern.matches(path, coordinate) }?.message
  }

  func delay(at path: [PathStep], _ coordinate: (type: String, field: String)?) -> Duration? {
    delays.last { $0.pattern.matches(path, coordinate) }?.delay
  }
}
