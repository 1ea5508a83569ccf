public import GraphQLSchema
public import GraphQLSyntax

/// A document that keeps the rules, with what validation found out about it.
///
/// Only ``validate(_:against:configuration:)`` makes one, so who has one need not check: every
/// type, field, argument, fragment and variable that is named exists, fragments do not contain
/// themselves, and fields with the same response name can be merged. Rules that are
/// ``ValidationRule/isRelaxable`` may be broken when the configuration says so.
public struct ValidatedDocument: Sendable {
  /// The document, as it was given to validation.
  public let document: Document
  /// The schema that the document was validated against.
  public let schema: Schema
  /// The types of fields and selection sets.
  public let types: StaticTypes
  /// Where fragments are used and which variables they need.
  let facts: DocumentFacts

  init(document: Document, schema: Schema, types: StaticTypes, facts: DocumentFacts) {
    self.document = document
    self.schema = schema
    self.types = types
    self.facts = facts
  }
}

extension ValidatedDocument {
  /// The fragment named `name`.
  public func fragment(named name: Symbol) -> FragmentDefinition.ID? {
    facts.fragment(named: name)
  }

  /// The fragments that an operation uses, directly or through others, each once, in the order in
  /// which they are first met.
  public func fragments(usedBy operation: OperationDefinition.ID) -> [FragmentDefinition.ID] {
    facts.reachableFragments(from: .operation(operation), in: document)
  }

  /// The fragments that a fragment uses, directly or through others, without itself.
  public func fragments(usedBy fragment: FragmentDefinition.ID) -> [FragmentDefinition.ID] {
    facts.reachableFragments(from: .fragment(fragment), in: document).filter { $0 != fragment }
  }
}
