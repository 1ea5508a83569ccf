import enum ApolloAPI.JSONValue
import struct ApolloAPI.JSONWriter

/// JSON whose objects keep the order of their members, which is that of the operation.
indirect enum FakeValue: Sendable {
  case null
  case leaf(JSONValue)
  case list([FakeValue])
  case object([(key: String, value: FakeValue)])

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.raw("null")
    case .leaf(let value): writer.write(value)
    case .list(let items): writer.writeArray(items) { $1.write(to: &$0) }
    case .object(let members):
      writer.raw("{")
      for (index, member) in members.enumerated() {
        if index > 0 { writer.raw(",") }
        writer.write(member.key)
        writer.raw(":")
        member.value.write(to: &writer)
      }
      writer.raw("}")
    }
  }
}

/// A step of a path in a response.
enum PathStep: Hashable, Sendable {
  case key(String)
  case index(Int)

  var json: JSONValue {
    switch self {
    case .key(let key): .string(key)
    case .index(let index): .int(Int64(index))
    }
  }
}
