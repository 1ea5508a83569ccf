import GraphQLSchema
import GraphQLSyntax

/// One of the fields with the same response name.
struct OverlappingField {
  var id: Field.ID
  /// The type from which the field is selected, or `nil` if it is unknown.
  var parent: Schema.NamedType.ID?
}

/// A reason why two fields with the same response name cannot be merged.
enum MergeConflict: Hashable {
  case differentFields(Symbol, Symbol)
  case differingArguments
  case conflictingTypes(ResolvedType, ResolvedType)
  /// Only one of them handles the errors of a value that is never null in the schema.
  case differingTreatments

  /// Returns the reason, as in `Fields "x" conflict because …`.
  func description(_ document: Document, _ schema: Schema) -> String {
    switch self {
    case .differentFields(let first, let second):
      "\"\(document.spelling(first))\" and \"\(document.spelling(second))\" are different fields"
    case .differingArguments: "they have differing arguments"
    case .conflictingTypes(let first, let second):
      "they return conflicting types \"\(schema.spelling(first))\" "
        + "and \"\(schema.spelling(second))\""
    case .differingTreatments:
      "only one of them has '@catch', and its value is never null without that"
    }
  }
}

/// Compares pairs of fields.
///
/// This is a class because it is passed around often: a copy retains one object, and not every
/// array of a document and a schema.
final class FieldComparison {
  let document: Document
  let schema: Schema
  let types: StaticTypes
  let facts: DocumentFacts
  private let caughtLevels: [Field.ID: [Int]]

  init(
    document: Document, schema: Schema, types: StaticTypes, facts: DocumentFacts,
    caughtLevels: [Field.ID: [Int]] = [:]
  ) {
    self.caughtLevels = caughtLevels
    self.document = document
    self.schema = schema
    self.types = types
    self.facts = facts
  }

  /// Returns whether no object has both fields, because they are selected from different object
  /// types.
  func areExclusive(_ first: OverlappingField, _ second: OverlappingField) -> Bool {
    guard let parent = first.parent, let other = second.parent, parent != other else {
      return false
    }
    return schema[parent].kind == .object && schema[other].kind == .object
  }

  /// Returns the reason why both fields cannot apply to the same object, or `nil` if they can.
  ///
  /// Spec: 5.3.2, `FieldsInSetCanMerge`.
  func fieldConflict(_ first: OverlappingField, _ second: OverlappingField) -> MergeConflict? {
    let (field, other) = (document[first.id], document[second.id])
    if field.name.symbol != other.name.symbol {
      return .differentFields(field.name.symbol, other.name.symbol)
    }
    guard document.haveSameArguments(field.arguments, other.arguments) else {
      return .differingArguments
    }
    return haveSameTreatment(first.id, second.id) ? nil : .differingTreatments
  }

  /// Returns whether two fields handle the errors of the same values, of those that are never null
  /// in the schema.
  func haveSameTreatment(_ first: Field.ID, _ second: Field.ID) -> Bool {
    guard !caughtLevels.isEmpty else { return true }
    return relaxedLevels(of: first) == relaxedLevels(of: second)
  }

  private func relaxedLevels(of field: Field.ID) -> Set<Int> {
    guard let levels = caughtLevels[field], let definition = types.definition(of: field) else {
      return []
    }
    var relaxed: Set<Int> = []
    var level = 0
    var wrapping: TypeWrapping? = schema[definition].type.wrapping
    while let current = wrapping {
      if current.isNonNull, levels.contains(level) { relaxed.insert(level) }
      wrapping = current.nullable.item
      level += 1
    }
    return relaxed
  }

  /// Returns the reason why the values of both fields cannot have the same position in a response,
  /// or `nil` if they can.
  ///
  /// Spec: 5.3.2, `SameResponseShape`.
  func shapeConflict(_ first: OverlappingField, _ second: OverlappingField) -> MergeConflict? {
    guard let type = type(of: first), let other = self.type(of: second), type != other else {
      return nil
    }
    let areLeaves =
      schema[type.namedType].kind.isLeaf || schema[other.namedType].kind.isLeaf
    let haveSameShape =
      type.wrapping == other.wrapping && (!areLeaves || type.namedType == other.namedType)
    return haveSameShape ? nil : .conflictingTypes(type, other)
  }

  private func type(of field: OverlappingField) -> ResolvedType? {
    types.definition(of: field.id).map { schema[$0].type }
  }
}
