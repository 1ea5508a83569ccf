import GraphQLSchema
import GraphQLSyntax

/// A field as one of those that a response name stands for.
struct MergedField {
  var id: Field.ID
  /// The type that it is selected from, if it is known.
  var parent: Schema.NamedType.ID?
}

/// Why two fields with the same response name cannot be merged.
enum MergeConflict: Hashable {
  case differentFields(Symbol, Symbol)
  case differingArguments
  case conflictingTypes(ResolvedType, ResolvedType)

  /// As in `Fields "x" conflict because …`.
  func description(_ document: Document, _ schema: Schema) -> String {
    switch self {
    case .differentFields(let first, let second):
      "\"\(document.spelling(first))\" and \"\(document.spelling(second))\" are different fields"
    case .differingArguments: "they have differing arguments"
    case .conflictingTypes(let first, let second):
      "they return conflicting types \"\(schema.spelling(first))\" "
        + "and \"\(schema.spelling(second))\""
    }
  }
}

/// What it takes to compare fields.
///
/// A class, because it is handed on everywhere: copying it is counting one reference, not those of
/// each array in a document and a schema.
final class FieldComparison {
  let document: Document
  let schema: Schema
  let types: StaticTypes
  let facts: DocumentFacts

  init(document: Document, schema: Schema, types: StaticTypes, facts: DocumentFacts) {
    self.document = document
    self.schema = schema
    self.types = types
    self.facts = facts
  }

  /// Whether no object can have both fields, because they are selected from different object types.
  func areExclusive(_ first: MergedField, _ second: MergedField) -> Bool {
    guard let parent = first.parent, let other = second.parent, parent != other else {
      return false
    }
    return schema[parent].kind == .object && schema[other].kind == .object
  }

  /// What forbids that both fields are asked of the same object.
  ///
  /// Spec: 5.3.2, `FieldsInSetCanMerge`.
  func fieldConflict(_ first: MergedField, _ second: MergedField) -> MergeConflict? {
    let (field, other) = (document[first.id], document[second.id])
    if field.name.symbol != other.name.symbol {
      return .differentFields(field.name.symbol, other.name.symbol)
    }
    return document.haveSameArguments(field.arguments, other.arguments) ? nil : .differingArguments
  }

  /// What forbids that the values of both fields stand in the same place of a response.
  ///
  /// Spec: 5.3.2, `SameResponseShape`.
  func shapeConflict(_ first: MergedField, _ second: MergedField) -> MergeConflict? {
    guard let type = type(of: first), let other = self.type(of: second), type != other else {
      return nil
    }
    let areLeaves =
      schema[type.namedType].kind.isLeaf || schema[other.namedType].kind.isLeaf
    let haveSameShape =
      type.wrapping == other.wrapping && (!areLeaves || type.namedType == other.namedType)
    return haveSameShape ? nil : .conflictingTypes(type, other)
  }

  private func type(of field: MergedField) -> ResolvedType? {
    types.definition(of: field.id).map { schema[$0].type }
  }
}
