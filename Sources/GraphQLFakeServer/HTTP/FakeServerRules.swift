package import enum ApolloAPI.JSONValue

/// The rules in a file: values, errors and delays by path, the times of events, and the values of
/// custom scalars.
///
/// ```json
/// {
///   "values": { "hero.name": "Luke" },
///   "errors": { "hero.friends": "Not now." },
///   "delays": { "hero": 500 },
///   "events": { "reviewAdded": [0, 500] },
///   "scalars": { "Day": ["2026-01-01"] }
/// }
/// ```
package struct FakeServerRules: Sendable {
  /// The error of a file whose content is no set of rules.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  package private(set) var values: [String: JSONValue] = [:]
  package private(set) var errors: [String: (message: String, extensions: [String: JSONValue])] =
    [:]
  package private(set) var delays: [String: Duration] = [:]
  /// The time before each event of a subscription.
  package private(set) var events: [String: [Duration]] = [:]
  package private(set) var scalars: [String: [JSONValue]] = [:]

  package init(_ json: [UInt8]) throws(Problem) {
    guard case .object(let members)? = try? JSONValue(jsonBytes: json) else {
      throw Problem(description: "The rules are no JSON object.")
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard case .object(let rules) = value else {
        throw Problem(description: "'\(name)' has no object with a rule for each path.")
      }
      for (path, rule) in rules.sorted(by: { $0.key < $1.key }) {
        try add(rule, to: name, at: path)
      }
    }
  }

  private mutating func add(
    _ rule: JSONValue, to name: String, at path: String
  ) throws(Problem) {
    switch name {
    case "values": values[path] = rule
    case "errors":
      guard let message = rule.stringValue ?? rule["message"]?.stringValue else {
        throw Problem(
          description: "The error of '\(path)' is no text, and no object with a 'message'.")
      }
      errors[path] = (message, rule["extensions"]?.objectValue ?? [:])
    case "delays":
      guard let delay = Self.time(rule) else {
        throw Problem(description: "The delay of '\(path)' is no time in milliseconds.")
      }
      delays[path] = delay
    case "events":
      let times = rule.arrayValue?.map { Self.time($0) }
      guard let times, !times.contains(nil) else {
        throw Problem(description: "The events of '\(path)' are no list of times in milliseconds.")
      }
      events[path] = times.compactMap { $0 }
    case "scalars":
      guard let values = rule.arrayValue, !values.isEmpty else {
        throw Problem(description: "The values of the scalar '\(path)' are no list.")
      }
      scalars[path] = values
    default:
      throw Problem(
        description: "'\(name)' is none of values, errors, delays, events and scalars.")
    }
  }

  private static func time(_ value: JSONValue) -> Duration? {
    guard let milliseconds = value.doubleValue, (0...86_400_000).contains(milliseconds) else {
      return nil
    }
    return .microseconds(Int64(milliseconds * 1_000))
  }

  /// Gives the rules to a server. Those of paths with more steps count more than those with fewer
  /// steps, and those of a type and a field count least. Of a value and an error with one path, the
  /// error counts.
  package func apply(to server: FakeServer) {
    func ordered(_ paths: some Sequence<String>) -> [String] {
      paths.map { (depth: FieldPattern($0).depth(in: server.schema), path: $0) }
        .sorted { ($0.depth, $0.path) < ($1.depth, $1.path) }
        .map { $0.path }
    }
    for path in ordered(Set(values.keys).union(errors.keys)) {
      if let value = values[path] { server.set(value, at: path) }
      if let error = errors[path] {
        server.fail(error.message, extensions: error.extensions, at: path)
      }
    }
    for path in ordered(delays.keys) {
      if let delay = delays[path] { server.delay(delay, at: path) }
    }
    for field in ordered(events.keys) {
      if let delays = events[field] { server.sendEvents(after: delays, at: field) }
    }
  }
}
