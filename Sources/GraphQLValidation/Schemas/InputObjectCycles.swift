import GraphQLSchema
import GraphQLSyntax

/// Every input object has a finite value.
///
/// An input object has none if it requires another one that, directly or indirectly, requires the
/// first. A `@oneOf` input object has none if all of its fields lead to such types.
///
/// Spec: 3.10, "Input Objects", "Circular References".
enum InputObjectCycles: WholeRule {
  static let name: Diagnostic.Rule = "InputObjectCycles"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    let infinite = InfiniteInputObjects(context.schema)
    guard !infinite.isEmpty else { return }
    let schema = context.schema
    var search = CycleSearch<Schema.NamedType.ID, Schema.InputValue.ID> { type in
      schema[type].inputFields.compactMap { field in
        let target = schema[field].type.namedType
        guard schema.isInfiniteEdge(field), infinite.contains(target) else { return nil }
        return (field, target)
      }
    }
    for type in schema.definedTypes where infinite.contains(type) { search.start(at: type) }
    for cycle in search.cycles { report(cycle, &context) }
  }

  private static func report(
    _ cycle: [Schema.InputValue.ID], _ context: inout ValidationContext
  ) {
    let schema = context.schema
    guard let first = cycle.first, case .inputObject(let type) = schema[first].owner else { return }
    let path = cycle.map { schema.coordinate(of: $0) }.joined(separator: ", ")
    let name = schema.name(of: type)
    let message =
      if !cycle.allSatisfy({ schema[$0].type.isNonNull }) {
        "Input Object \(name) cannot be provided a finite value "
          + "because it references itself through fields: \(path)."
      } else if cycle.count == 1 {
        "Invalid circular reference. The Input Object \(name) references itself "
          + "in the non-null field \(path)."
      } else {
        "Invalid circular reference. The Input Object \(name) references itself "
          + "via the non-null fields: \(path)."
      }
    context.report(
      Self.self, message,
      at: cycle.map { Diagnostic.Note("part of the cycle", at: schema.span(of: $0)) })
  }
}

/// The input objects that have no finite value.
private struct InfiniteInputObjects {
  private let isInfinite: [Bool]
  let isEmpty: Bool

  /// Finds the input objects by elimination.
  ///
  /// 1. Assume that no input object has a finite value, and count for each the fields that require
  ///    one of another input object.
  /// 2. An input object without such fields has a finite value. So has a `@oneOf` input object with
  ///    one field that requires no input object.
  /// 3. When an input object turns out to have a finite value, decrease the count of its
  ///    dependents. A dependent without remaining fields has a finite value as well.
  ///
  /// - Complexity: O(*n*), where *n* is the number of input fields.
  init(_ schema: Schema) {
    var isInfinite = schema.types.map { $0.kind == .inputObject }
    // The number of fields of each type that still prevent a finite value.
    var obstacles = Array(repeating: 0, count: schema.types.count)
    var dependents: [[Schema.NamedType.ID]] = Array(repeating: [], count: schema.types.count)
    var finite: [Schema.NamedType.ID] = []
    for type in schema.definedTypes where schema[type].kind == .inputObject {
      let fields = schema[type].inputFields.filter { schema.isInfiniteEdge($0) }
      let isOneOf = schema[type].isOneOf
      for field in fields { dependents[schema[field].type.namedType.index].append(type) }
      obstacles[type.index] = isOneOf ? min(1, fields.count) : fields.count
      if obstacles[type.index] == 0 || (isOneOf && fields.count < schema[type].inputFields.count) {
        finite.append(type)
      }
    }
    while let type = finite.popLast() {
      guard isInfinite[type.index] else { continue }
      isInfinite[type.index] = false
      for dependent in dependents[type.index] {
        obstacles[dependent.index] -= 1
        if obstacles[dependent.index] <= 0 { finite.append(dependent) }
      }
    }
    self.isInfinite = isInfinite
    isEmpty = !isInfinite.contains(true)
  }

  func contains(_ type: Schema.NamedType.ID) -> Bool { isInfinite[type.index] }
}

extension Schema {
  /// Returns whether a value of the field's owner requires a value of the field's type, which is an
  /// input object.
  ///
  /// In a `@oneOf` input object, this is true for nullable fields too, since one of them is
  /// required.
  fileprivate func isInfiniteEdge(_ id: InputValue.ID) -> Bool {
    let field = self[id]
    guard case .inputObject(let owner) = field.owner else { return false }
    return !field.type.isList && self[field.type.namedType].kind == .inputObject
      && (field.type.isNonNull || self[owner].isOneOf)
  }
}
