/// Reads the object around a response: `data`, `errors` and `extensions` (specification 7.1,
/// "Response Format").
///
/// 1. Reads `data` straight into response objects. Nulls that the schema rules out are collected as
///    violations.
/// 2. Reads `errors` and `extensions` as JSON values, in whichever order the members come.
/// 3. Matches each violation with an error about the same path. A violation without an error fails
///    the response.
/// 4. Attaches the errors to copies of the objects that their paths lead to.
struct ResponseBodyReader {
  let root: ObjectPosition
  let observer: (any ResponseObserver)?
  private var body = ResponseBody()
  private var violations: [ResponseReader.Violation] = []
  private var hasData = false
  private var hasNullData = false

  init(root: ObjectPosition, observer: (any ResponseObserver)?) {
    self.root = root
    self.observer = observer
  }

  mutating func read(_ json: inout JSONReader) throws(ReadFailure) -> ResponseBody {
    json.skipByteOrderMark()
    json.skipWhitespace()
    guard json.cursor < json.end else { throw json.failure(.notAResponse("it is empty")) }
    guard json.next == UInt8(ascii: "{") else {
      _ = try json.skipValue()
      throw json.failure(.notAResponse("it is not an object"))
    }
    try readMembers(&json)
    try json.expectEnd()
    if !hasData, body.errors == nil {
      throw json.failure(
        .notAResponse(
          hasNullData
            ? "'data' is null, and no error explains it" : "it has neither 'data' nor 'errors'"))
    }
    try explainViolations()
    if let errors = body.errors, errors.contains(where: { $0.path != nil }) {
      body.data = body.data?.attaching(errors)
    }
    return body
  }

  private mutating func readMembers(_ json: inout JSONReader) throws(ReadFailure) {
    try json.open()
    if json.next == UInt8(ascii: "}") { return json.close() }
    var seen: Members = []
    repeat {
      let key = json.consumeDataKey() ? "data" : try json.readKey()
      let member = Members(key)
      guard member.isEmpty || seen.insert(member).inserted else {
        throw json.failure(.malformedJSON("the key '\(key)' comes twice in one object"))
      }
      switch member {
      case .data: try readData(&json)
      case .errors: try readErrors(&json)
      case .extensions: try readExtensions(&json)
      default: try json.skipValue()
      }
    } while try json.continues(until: UInt8(ascii: "}"))
  }

  /// The members of a response that the specification defines.
  fileprivate struct Members: OptionSet {
    let rawValue: UInt8
    static let data = Members(rawValue: 1)
    static let errors = Members(rawValue: 2)
    static let extensions = Members(rawValue: 4)
  }

  private mutating func readData(_ json: inout JSONReader) throws(ReadFailure) {
    if json.consumeNull() {
      hasNullData = true
      return
    }
    guard json.next == UInt8(ascii: "{") else {
      let start = json
      try json.skipValue()
      throw start.failure(.notAResponse("'data' is neither an object nor null"))
    }
    hasData = true
    var reader = ResponseReader(
      json, layouts: root.plan.layoutCache, observer: observer, missing: .none)
    body.data = try reader.readRoot(at: root)
    violations = reader.violations
    root.plan.layoutCache = reader.layouts
    json = reader.json
  }

  private mutating func readErrors(_ json: inout JSONReader) throws(ReadFailure) {
    let start = json
    let value = try json.readValue()
    if !value.isNull, value.arrayValue == nil {
      throw start.failure(.notAResponse("'errors' is not a list"))
    }
    let errors = GraphQLError.list(value)
    if !errors.isEmpty { body.errors = errors }
  }

  private mutating func readExtensions(_ json: inout JSONReader) throws(ReadFailure) {
    let start = json
    let value = try json.readValue()
    if value.isNull { return }
    guard let members = value.objectValue else {
      throw start.failure(.notAResponse("'extensions' is not an object"))
    }
    body.extensions = members
  }

  /// Accepts nulls that the schema rules out, and missing fields, when an error is about that path
  /// or one below it. An error without a path explains every missing field that may be null.
  private func explainViolations() throws(ReadFailure) {
    guard !violations.isEmpty else { return }
    let hasUnlocatedError = body.errors?.contains { $0.path == nil } ?? false
    // Only prefixes as long as some violation's path matter, so that long paths cost nothing.
    let lengths = Set(violations.map(\.path.count))
    var explained: Set<ArraySlice<PathEntry>> = []
    for path in (body.errors ?? []).compactMap(\.path) {
      for length in lengths where length <= path.count { explained.insert(path[..<length]) }
    }
    let unexplained = violations.filter { violation in
      if violation.kind == .missingNullable, hasUnlocatedError { return false }
      return !explained.contains(violation.path[...])
    }
    // A missing field is the more likely reason: the server does not know it.
    if let first = unexplained.first(where: { $0.kind != .null }) ?? unexplained.first {
      throw first.failure
    }
  }
}

extension JSONReader {
  /// Consumes `"data":` and the white space after it, if they come next, as they do in nearly every
  /// response.
  @inline(__always)
  fileprivate mutating func consumeDataKey() -> Bool {
    guard loadWord(cursor) << 8 == 0x3A22_6174_6164_2200 else { return false }
    cursor += 7
    skipWhitespace()
    return true
  }
}

extension ResponseBodyReader.Members {
  /// The member with a key; empty for any other key.
  fileprivate init(_ key: String) {
    switch key {
    case "data": self = .data
    case "errors": self = .errors
    case "extensions": self = .extensions
    default: self = []
    }
  }
}

extension GraphQLError {
  /// Reads the value of `errors`. Each entry becomes an error, whatever its form. A value other
  /// than a list counts as the only entry.
  package static func list(_ value: JSONValue) -> [GraphQLError] {
    if value.isNull { return [] }
    return (value.arrayValue ?? [value]).map(Self.init(entry:))
  }

  /// Reads an entry of `errors`. Some servers send a text instead of an object (MLflow), or an
  /// object without a message (graphql-js, AppSync). Other malformed parts are left out.
  init(entry: JSONValue) {
    if let error = GraphQLError(entry) {
      self = error
    } else if let text = entry.stringValue {
      self.init(message: text)
    } else if let members = entry.objectValue {
      self.init(message: Self.message(replacing: members), members: members)
    } else {
      self.init(message: entry.isNull ? Self.noMessage : entry.description)
    }
  }

  /// The message of an error that has nothing to say.
  package static let noMessage = "The server sent an error without a message."

  /// Returns a message for an error whose message is not a string.
  private static func message(replacing members: [String: JSONValue]) -> String {
    if let message = members["message"], !message.isNull { return message.description }
    let known: Set = ["message", "locations", "path", "extensions"]
    let others = members.filter { !known.contains($0.key) && !$0.value.isNull }
    guard !others.isEmpty else { return noMessage }
    let text = JSONValue.object(others).description
    let limit = 1_000
    // One character can have any number of combining marks.
    let beginning = text.unicodeScalars.prefix(limit)
    let excerpt =
      beginning.endIndex == text.unicodeScalars.endIndex ? text : "\(String(beginning))…"
    return "\(noMessage) Its other members are \(excerpt)."
  }

  /// Reads an entry of `errors`; `nil` when it has no message. Other malformed parts are left out.
  package init?(_ value: JSONValue) {
    guard let members = value.objectValue, let message = members["message"]?.stringValue else {
      return nil
    }
    self.init(message: message, members: members)
  }

  private init(message: String, members: [String: JSONValue]) {
    let locations = members["locations"]?.arrayValue?.compactMap(Location.init)
    self.init(
      message: message,
      locations: locations.flatMap { $0.isEmpty ? nil : $0 },
      path: members["path"]?.arrayValue.flatMap(Self.path),
      extensions: members["extensions"]?.objectValue)
  }

  /// Returns a path of keys and indices, or `nil` when it contains anything else.
  private static func path(_ values: [JSONValue]) -> [PathEntry]? {
    let entries = values.compactMap { value -> PathEntry? in
      switch value {
      case .string(let key): .field(key)
      // Some languages have no integers, and write 1.0.
      default: value.intValue.flatMap { $0 >= 0 ? .index($0) : nil }
      }
    }
    return entries.count == values.count ? entries : nil
  }
}

extension GraphQLError.Location {
  fileprivate init?(_ value: JSONValue) {
    guard let line = value["line"]?.intValue, let column = value["column"]?.intValue else {
      return nil
    }
    self.init(line: line, column: column)
  }
}
