import GraphQLSyntax

/// A reader of the members of one JSON object.
///
/// Problems are collected, not thrown, so that one run reports all of them. A member that cannot be
/// read is `nil`.
struct ConfigurationReader {
  let path: String
  private let members: [(key: String, value: IndexedJSON.Value)]
  private let problems: Problems

  /// The problems of one file, shared by its readers. It is only used inside the call that decodes.
  final class Problems {
    private(set) var found: [ConfigurationProblem] = []
    var warnings: [ConfigurationProblem] = []

    /// Adds a problem once, although its object may be read for several purposes.
    func add(_ problem: ConfigurationProblem) {
      if !found.contains(problem) { found.append(problem) }
    }
  }

  init?(_ value: IndexedJSON.Value, path: String, problems: Problems) {
    guard let members = value.members else {
      problems.add(.init(.wrongType(expected: ["an object"], found: value.kindName), at: path))
      return nil
    }
    self.init(
      members: members.map { ($0.key.string ?? "", $0.value) }, path: path, problems: problems)
  }

  private init(members: [(key: String, value: IndexedJSON.Value)], path: String, problems: Problems)
  {
    self.members = members
    self.path = path
    self.problems = problems
  }

  // MARK: - Problems

  func report(_ fact: ConfigurationFact, at key: String? = nil) {
    problems.add(ConfigurationProblem(fact, at: key.map(path(to:)) ?? path))
  }

  func warn(_ fact: ConfigurationFact, at key: String) {
    problems.warnings.append(ConfigurationProblem(fact, at: path(to: key)))
  }

  func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Reports each member whose key is not one of `known`.
  ///
  /// The report names the right place of the key, or the known key that resembles it most.
  func allow(_ known: [String]) {
    for key in keys { allow(key, known) }
  }

  private func allow(_ key: String, _ known: [String]) {
    guard !known.contains(key) else { return }
    let hint =
      ConfigurationKeys.rightPlace(of: key).map(ConfigurationFact.Hint.place)
      ?? Spelling.nearest(to: key, in: known).map(ConfigurationFact.Hint.nearest)
    report(.unknownKey(hint ?? .known(known)), at: key)
  }

  // MARK: - Members

  func has(_ key: String) -> Bool { node(key) != nil }

  /// Returns the member's value, or `nil` if it is absent or `null`.
  func node(_ key: String) -> IndexedJSON.Value? {
    guard let value = members.first(where: { $0.key == key })?.value, value.kind != .null else {
      return nil
    }
    return value
  }

  var keys: [String] { members.map(\.key) }

  func string(_ key: String) -> String? {
    guard let node = node(key) else { return nil }
    return node.string ?? mismatch("a string", node, key)
  }

  func bool(_ key: String) -> Bool? {
    guard let node = node(key) else { return nil }
    return node.bool ?? mismatch("true or false", node, key)
  }

  func number(_ key: String) -> Double? {
    guard let node = node(key) else { return nil }
    return node.number ?? mismatch("a number", node, key)
  }

  func array(_ key: String) -> [IndexedJSON.Value]? {
    guard let node = node(key) else { return nil }
    return node.items ?? mismatch("an array", node, key)
  }

  func strings(_ key: String) -> [String]? {
    array(key)?.enumerated().compactMap { index, item in
      item.string ?? mismatch("a string", item, "\(key)[\(index)]")
    }
  }

  func object(_ key: String) -> ConfigurationReader? {
    node(key).flatMap { ConfigurationReader($0, path: path(to: key), problems: problems) }
  }

  func objects(_ key: String) -> [ConfigurationReader]? {
    array(key)?.enumerated().compactMap { index, item in
      ConfigurationReader(item, path: path(to: "\(key)[\(index)]"), problems: problems)
    }
  }

  /// Reads a string that must be one of the values of `Value`, or of `aliases`, which are older
  /// spellings.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Value.Type, aliases: [String: Value] = [:]
  ) -> Value? where Value.RawValue == String {
    string(key).flatMap { choice(text: $0, key, type, aliases: aliases) }
  }

  func choice<Value: RawRepresentable & CaseIterable>(
    text: String, _ key: String, _ type: Value.Type, aliases: [String: Value] = [:]
  ) -> Value? where Value.RawValue == String {
    if let value = Value(rawValue: text) ?? aliases[text] { return value }
    report(.unknownValue(text, known: Value.allCases.map(\.rawValue)), at: key)
    return nil
  }

  /// Reads an enum with associated values: an object with one member, whose key is the case. A
  /// string is a case without values.
  func variant(_ key: String, _ known: [String]) -> (name: String, values: ConfigurationReader)? {
    guard let node = node(key) else { return nil }
    return variant(of: node, at: path(to: key), known)
  }

  /// Reads an enum with associated values from `node`.
  ///
  /// - Parameters:
  ///   - node: The value at `path`.
  ///   - path: The place of the value, for messages.
  ///   - known: The names of the cases.
  ///   - keyOfText: Returns the key of a case's value if it is written as a text and not as an
  ///     object. By default, that is a mistake.
  /// - Returns: The name of the case and its values, or `nil` after reporting a problem.
  func variant(
    of node: IndexedJSON.Value, at path: String, _ known: [String],
    keyOfText: ((String) -> String)? = nil
  ) -> (name: String, values: ConfigurationReader)? {
    if let name = node.string {
      let reader = ConfigurationReader(members: [], path: path, problems: problems)
      reader.allow(name, known)
      return known.contains(name) ? (name, reader.part(name, [])) : nil
    }
    guard let reader = ConfigurationReader(node, path: path, problems: problems) else { return nil }
    reader.allow(known)
    let members = reader.members.filter { known.contains($0.key) }
    guard members.count == 1, let (name, value) = members.first else {
      if reader.members.isEmpty || members.count > 1 {
        reader.report(.notExactlyOne(of: known))
      }
      return nil
    }
    if let keyOfText, value.kind == .string, reader.members.count == 1 {
      return (name, reader.part(name, [(keyOfText(name), value)]))
    }
    return ConfigurationReader(value, path: reader.path(to: name), problems: problems)
      .map { (name, $0) }
  }

  /// Returns a reader of members that stand for the value of `key`.
  private func part(
    _ key: String, _ members: [(key: String, value: IndexedJSON.Value)]
  ) -> ConfigurationReader {
    ConfigurationReader(members: members, path: path(to: key), problems: problems)
  }

  private func mismatch<Value>(_ expected: String, _ found: IndexedJSON.Value, _ key: String)
    -> Value?
  {
    report(.wrongType(expected: [expected], found: found.kindName), at: key)
    return nil
  }
}
