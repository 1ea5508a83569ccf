internal import ApolloAPI

/// An object of JSON on one line, with its members in the order in which they are added.
struct JSONLine {
  private var members: [(String, JSONValue)] = []

  /// Adds a member, unless its value is `nil`.
  mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { members.append((name, value)) }
  }

  mutating func add(_ name: String, _ value: String?) { add(name, value.map(JSONValue.string)) }

  mutating func add(_ name: String, _ value: Int?) {
    add(name, value.map { JSONValue.int(Int64($0)) })
  }

  var json: JSONValue { .object(Dictionary(members, uniquingKeysWith: { $1 })) }

  var text: String {
    var writer = JSONWriter()
    writer.writeObject(members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
