import GraphQLSchema
import GraphQLSyntax

/// The default value of an input field does not require itself.
///
/// Spec: 3.10, "Input Objects", `InputObjectDefaultValueHasCycle`.
enum DefaultValueCycles: WholeRule {
  static let name: Diagnostic.Rule = "DefaultValueCycles"

  /// The maximum number of defaults to follow. Only schemas designed to be slow have more.
  private static let budget = 5_000_000

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    let defaults = AppliedDefaults(schema, budget: budget)
    var search = CycleSearch<Schema.InputValue.ID, Schema.InputValue.ID> { field in
      defaults.applied(byDefaultOf: field).map { ($0, $0) }
    }
    for field in schema.definedInputValues where schema.appliesDefaults(field) {
      if case .inputObject = schema[field].owner { search.start(at: field) }
    }
    // The labels are the fields that edges lead to, so the field at the start of the cycle comes
    // last.
    for cycle in search.cycles { report(cycle.suffix(1) + cycle.dropLast(), &context) }
  }

  private static func report(
    _ cycle: [Schema.InputValue.ID], _ context: inout ValidationContext
  ) {
    let schema = context.schema
    let names = cycle.map { schema.coordinate(of: $0) }
    let others = names.dropFirst().joined(separator: ", ")
    context.report(
      Self.self,
      "Invalid circular reference. The default value of Input Object field \(names[0]) references "
        + (others.isEmpty ? "itself." : "itself via the default values of: \(others)."),
      at: cycle.compactMap { schema.defaultValue(of: $0) }.map {
        Diagnostic.Note("part of the cycle", at: $0.span)
      })
  }
}

extension Schema {
  /// Returns whether the field has a default value that other default values can complete.
  fileprivate func appliesDefaults(_ id: InputValue.ID) -> Bool {
    self[id].hasDefaultValue && self[self[id].type.namedType].kind == .inputObject
  }
}

/// The default values that applying another default value requires.
private final class AppliedDefaults {
  private let schema: Schema
  /// The remaining number of defaults to follow. All calls share it, which is why this is a class.
  private var budget: Int

  init(_ schema: Schema, budget: Int) {
    self.schema = schema
    self.budget = budget
  }

  /// Returns the fields whose defaults complete the default value of `field`.
  func applied(byDefaultOf field: Schema.InputValue.ID) -> [Schema.InputValue.ID] {
    var found: [Schema.InputValue.ID] = []
    if let value = schema.defaultValue(of: field) {
      collect(from: value, as: schema[field].type.namedType, into: &found)
    }
    return found
  }

  /// A pending step. The steps for the parts of a value run before those that follow the value.
  private enum Step {
    case collect(Value, Schema.NamedType.ID)
    /// The completion of an object by the defaults of the fields that it lacks.
    case complete(ObjectField.List, Schema.NamedType.ID)
  }

  private func collect(
    from value: Value, as type: Schema.NamedType.ID, into found: inout [Schema.InputValue.ID]
  ) {
    var steps = [Step.collect(value, type)]
    while let step = steps.popLast() {
      switch step {
      case .collect(let value, let type): expand(value, as: type, into: &steps)
      case .complete(let fields, let type): complete(fields, of: type, into: &found)
      }
    }
  }

  private func expand(
    _ value: Value, as type: Schema.NamedType.ID, into steps: inout [Step]
  ) {
    switch value.content {
    case .list(let items):
      for item in schema.document[items].reversed() { steps.append(.collect(item, type)) }
    case .object(let fields) where schema[type].kind == .inputObject:
      steps.append(.complete(fields, type))
      for field in schema.document[fields].reversed() {
        guard let id = schema.inputField(field.name.symbol, of: type) else { continue }
        steps.append(.collect(field.value, schema[id].type.namedType))
      }
    default: break
    }
  }

  private func complete(
    _ fields: ObjectField.List, of type: Schema.NamedType.ID,
    into found: inout [Schema.InputValue.ID]
  ) {
    let given = Set(schema.document[fields].map(\.name.symbol))
    for id in schema[type].inputFields {
      budget -= 1
      guard budget > 0 else { return }
      if schema.appliesDefaults(id), !given.contains(schema[id].name) { found.append(id) }
    }
  }
}
