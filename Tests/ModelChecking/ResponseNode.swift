public import ApolloAPI

/// A value of a response, with an identity, so that it is known which model has looked at it.
public final class ResponseNode {
  let content: Content

  enum Content {
    case leaf(JSONValue)
    case list([ResponseNode])
    case object([String: ResponseNode])
  }

  /// Gives a value, and everything in it, identities.
  public init(_ value: JSONValue) {
    switch value {
    case .array(let elements): content = .list(elements.map(ResponseNode.init))
    case .object(let members): content = .object(members.mapValues(ResponseNode.init))
    default: content = .leaf(value)
    }
  }

  var isNull: Bool { if case .leaf(.null) = content { true } else { false } }

  var value: JSONValue {
    switch content {
    case .leaf(let value): value
    case .list(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.mapValues(\.value))
    }
  }
}
