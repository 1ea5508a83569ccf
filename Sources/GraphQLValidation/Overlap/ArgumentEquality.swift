import GraphQLSyntax

extension Document {
  /// Returns whether two fields have the same arguments, in any order.
  func haveSameArguments(_ first: Argument.List, _ second: Argument.List) -> Bool {
    guard first.count == second.count else { return false }
    guard second.count <= 8 else {
      let values = Dictionary(self[second].map { ($0.name.symbol, $0.value) }) { first, _ in first }
      return self[first].allSatisfy { argument in
        values[argument.name.symbol].map { areSame(argument.value, $0) } ?? false
      }
    }
    return first.allSatisfy { id in
      let argument = self[id]
      guard let other = second.first(where: { self[$0].name.symbol == argument.name.symbol }) else {
        return false
      }
      return areSame(argument.value, self[other].value)
    }
  }

  /// Returns whether two values are written identically, except for the order of object fields.
  private func areSame(_ first: Value, _ second: Value) -> Bool {
    switch (first.content, second.content) {
    case (.variable(let name), .variable(let other)), (.enum(let name), .enum(let other)):
      name == other
    case (.int, .int), (.float, .float):
      sources.bytes(of: first.span) == sources.bytes(of: second.span)
    case (.string(let literal), .string(let other)):
      literal.isBlock == other.isBlock && string(literal) == string(other)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.null, .null): true
    case (.list(let items), .list(let others)):
      items.count == others.count && zip(items, others).allSatisfy { areSame(self[$0], self[$1]) }
    case (.object(let fields), .object(let others)): areSame(fields, others)
    default: false
    }
  }

  private func areSame(_ fields: ObjectField.List, _ others: ObjectField.List) -> Bool {
    guard fields.count == others.count else { return false }
    return zip(sortedByName(fields), sortedByName(others)).allSatisfy { field, other in
      field.name.symbol == other.name.symbol && areSame(field.value, other.value)
    }
  }

  /// Returns the fields sorted by name. Fields with the same name keep their order.
  private func sortedByName(_ fields: ObjectField.List) -> [ObjectField] {
    self[fields].sorted { first, second in
      let symbols = (first.name.symbol.rawValue, second.name.symbol.rawValue)
      return symbols.0 == symbols.1
        ? first.span.start < second.span.start : symbols.0 < symbols.1
    }
  }
}
