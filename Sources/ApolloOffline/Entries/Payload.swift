import ApolloAPI

/// The contents of a mutation.
struct Payload: Sendable {
  var variables: JSONValue
  var optimistic: JSONValue?
  /// In the order in which they run.
  var updates: [OfflineUpdate] = []

  init(variables: JSONValue, optimistic: JSONValue? = nil, updates: [OfflineUpdate] = []) {
    self.variables = variables
    self.optimistic = optimistic
    self.updates = updates
  }

  init(bytes: [UInt8]) throws {
    let json = try JSONValue(jsonBytes: bytes)
    variables = json["variables"] ?? .object([:])
    optimistic = json["optimistic"]
    updates = (json["updates"]?.arrayValue ?? []).compactMap { update in
      update["name"]?.stringValue.map {
        OfflineUpdate($0, argument: update["argument"] ?? .null)
      }
    }
  }

  var bytes: [UInt8] {
    var members = ["variables": variables]
    if let optimistic { members["optimistic"] = optimistic }
    if !updates.isEmpty {
      members["updates"] = .array(
        updates.map { .object(["name": .string($0.name), "argument": $0.argument]) })
    }
    return JSONValue.object(members).bytes
  }

  var isVisible: Bool { optimistic != nil || !updates.isEmpty }

  /// The contents of this mutation after those of an older one that it is merged with. What the
  /// older one shows stays visible, unless this one replaces it.
  func merged(after older: Payload, variables: JSONValue) -> Payload {
    Payload(
      variables: variables, optimistic: optimistic ?? older.optimistic,
      updates: older.updates + updates)
  }

  /// Calls `body` with each text of the variables, the optimistic data and the arguments.
  func forEachText(_ body: (String) -> Void) {
    variables.forEachText(body)
    optimistic?.forEachText(body)
    for update in updates { update.argument.forEachText(body) }
  }

  /// The same contents with real identifiers in place of temporary ones.
  func replacingTexts(_ new: [String: String]) -> Payload {
    guard !new.isEmpty else { return self }
    return Payload(
      variables: variables.replacingTexts(new), optimistic: optimistic?.replacingTexts(new),
      updates: updates.map { OfflineUpdate($0.name, argument: $0.argument.replacingTexts(new)) })
  }
}
