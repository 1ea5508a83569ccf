public import GraphQLSchema
public import GraphQLSyntax

/// A document that has passed validation.
///
/// Later stages rely on the guarantees of this type instead of checking them:
///
/// - Every type, field, argument, fragment and variable that the document names is defined.
/// - Fragments do not spread themselves.
/// - Fields with the same response name can be merged.
///
/// Only ``validate(_:against:configuration:)`` creates values of this type:
///
/// ```swift
/// guard let valid = validate(document, against: schema).document else { return }
/// for index in valid.document.operations.indices {
///   let operation = OperationDefinition.ID(rawValue: UInt32(index))
///   print(valid.coordinates(usedBy: operation))  // ["Query", "Query.hero", …]
/// }
/// ```
///
/// A document can violate rules that are ``ValidationRule/isRelaxable``, if the configuration
/// allows it.
public struct ValidatedDocument: Sendable {
  /// The document that was validated.
  public let document: Document
  /// The schema against which the document was validated.
  public let schema: Schema
  /// The types of the fields and selection sets.
  public let types: StaticTypes
  /// The fragments and variables that each definition uses.
  let facts: DocumentFacts

  init(document: Document, schema: Schema, types: StaticTypes, facts: DocumentFacts) {
    self.document = document
    self.schema = schema
    self.types = types
    self.facts = facts
  }
}

extension ValidatedDocument {
  /// Returns the fragment named `name`, or `nil` if there is none.
  public func fragment(named name: Symbol) -> FragmentDefinition.ID? {
    facts.fragment(named: name)
  }

  /// Returns the fragments that an operation uses, directly or through other fragments.
  ///
  /// Each fragment appears once, in the order in which the search reaches it.
  public func fragments(usedBy operation: OperationDefinition.ID) -> [FragmentDefinition.ID] {
    facts.reachableFragments(from: .operation(operation), in: document)
  }

  /// Returns the fragments that a fragment uses, directly or through other fragments, without
  /// itself.
  public func fragments(usedBy fragment: FragmentDefinition.ID) -> [FragmentDefinition.ID] {
    facts.reachableFragments(from: .fragment(fragment), in: document).filter { $0 != fragment }
  }
}
