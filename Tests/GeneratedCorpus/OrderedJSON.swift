import ApolloAPI

/// JSON whose objects keep the order of their members, as a response of a server does.
indirect enum OrderedJSON {
  case leaf(JSONValue)
  case list([OrderedJSON])
  /// The members that an operation asks for, and those that a server has sent besides.
  case object([(key: String, value: OrderedJSON)], others: [String: JSONValue] = [:])

  /// The value without the order, and without what nobody has asked for.
  var value: JSONValue {
    switch self {
    case .leaf(let value): value
    case .list(let elements): .array(elements.map(\.value))
    case .object(let members, _):
      .object(
        Dictionary(
          members.map { ($0.key, $0.value.value) }, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// The text, compact.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .leaf(let value): text += value.description
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members, let others):
      let others = others.sorted { $0.key < $1.key }.map { ($0.key, OrderedJSON.leaf($0.value)) }
      text += "{"
      for (index, member) in (members + others).enumerated() {
        if index > 0 { text += "," }
        text += JSONValue.string(member.0).description
        text += ":"
        member.1.write(to: &text)
      }
      text += "}"
    }
  }
}
