/// What an operation does.
public enum OperationKind: UInt8, Hashable, Sendable, CaseIterable {
  case query
  case mutation
  case subscription

  /// The kind that the keyword `symbol` stands for, if it does.
  public init?(_ symbol: Symbol) {
    switch symbol {
    case .query: self = .query
    case .mutation: self = .mutation
    case .subscription: self = .subscription
    default: return nil
    }
  }

  /// The keyword.
  public var symbol: Symbol {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}

/// `query Hero($id: ID!) @live { … }`, or just `{ … }`.
///
/// Spec: 2.3, "Operations".
public struct OperationDefinition: Node {
  /// Whether it is a query, a mutation or a subscription; a shorthand is a query.
  public var kind: OperationKind
  /// Whether it is written as a selection set alone.
  public var isShorthand: Bool
  /// The string before it, or nil. A shorthand never has one.
  public var description: StringLiteral?
  /// The name, or nil for an anonymous operation.
  public var name: Name?
  /// The variables it declares, in the order of the text; empty without parentheses.
  public var variables: VariableDefinition.List
  /// The directives on the operation itself.
  public var directives: Directive.List
  /// What it selects from the root operation type of its kind.
  public var selectionSet: SelectionSet
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `fragment HeroDetails on Character { … }`.
///
/// Spec: 2.8, "Fragments".
public struct FragmentDefinition: Node {
  /// The string before `fragment`, or nil.
  public var description: StringLiteral?
  /// The name by which spreads refer to it.
  public var name: Name
  /// The type after `on`, whose fields it selects.
  public var typeCondition: Name
  /// The directives on the fragment itself.
  public var directives: Directive.List
  /// What a spread of it selects.
  public var selectionSet: SelectionSet
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `$id: ID! = "1" @directive`, with a description perhaps.
///
/// Spec: 2.10, "Variables".
public struct VariableDefinition: Node {
  /// The string before the variable, or nil.
  public var description: StringLiteral?
  /// The name without `$`; the span of the variable is `variableSpan`.
  public var name: Name
  /// From `$` to the end of the name.
  public var variableSpan: SourceSpan
  /// The type after the colon, which the value must have.
  public var type: TypeReference
  /// The constant after `=`, or nil without one.
  public var defaultValue: Value?
  /// The directives on the definition, after its type and default value.
  public var directives: Directive.List
  /// From its first token, which is its description if it has one, to its last.
  public var span: SourceSpan
}

/// `{ … }`: selections, at least one.
///
/// It is identified by its list of selections, which is why it is hashable.
public struct SelectionSet: Hashable, Sendable {
  /// The fields, spreads and inline fragments, in the order of the text.
  public var selections: NodeList<Selection>
  /// From brace to brace.
  public var span: SourceSpan
}

/// One entry of a selection set.
public enum Selection: Hashable, Sendable {
  case field(Field.ID)
  case fragmentSpread(FragmentSpread.ID)
  case inlineFragment(InlineFragment.ID)
}

/// `alias: name(argument: 1) @include(if: $a) { … }`.
///
/// Spec: 2.5, "Fields".
public struct Field: Node {
  /// The name before the colon, or nil when the response uses `name`.
  public var alias: Name?
  /// The name that the schema knows the field by.
  public var name: Name
  /// The arguments, in the order of the text; empty without parentheses.
  public var arguments: Argument.List
  /// The directives on the field, after its arguments.
  public var directives: Directive.List
  /// What it selects from the field's value, or nil without braces.
  public var selectionSet: SelectionSet?
  /// From the alias, or else the name, to the last token.
  public var span: SourceSpan

  /// The key under which it is in the response: the alias, or else the name.
  @inlinable
  public var responseName: Symbol { alias?.symbol ?? name.symbol }
}

/// `...HeroDetails @include(if: $a)`.
public struct FragmentSpread: Node {
  /// The name of the fragment definition that is spread.
  public var name: Name
  /// The directives on the spread, after the name.
  public var directives: Directive.List
  /// From `...` to the last token.
  public var span: SourceSpan
}

/// `... on Droid @include(if: $a) { … }`.
public struct InlineFragment: Node {
  /// The type after `on`, or nil when that of the enclosing selection set goes on.
  public var typeCondition: Name?
  /// The directives on the inline fragment, before its braces.
  public var directives: Directive.List
  /// What it selects from values of its type.
  public var selectionSet: SelectionSet
  /// From `...` to the closing brace.
  public var span: SourceSpan
}

/// `name: value` of a field or a directive.
public struct Argument: Node {
  /// The name before the colon.
  public var name: Name
  /// The value after the colon.
  public var value: Value
  /// From the name to the end of the value.
  public var span: SourceSpan
}

/// `@include(if: $a)`.
///
/// Spec: 2.12, "Directives".
public struct Directive: Node {
  /// The name without `@`.
  public var name: Name
  /// The arguments, in the order of the text; empty without parentheses.
  public var arguments: Argument.List
  /// From `@` to the last token.
  public var span: SourceSpan
}

extension Document {
  /// Where `selection` is in the text.
  public func span(of selection: Selection) -> SourceSpan {
    switch selection {
    case .field(let id): self[id].span
    case .fragmentSpread(let id): self[id].span
    case .inlineFragment(let id): self[id].span
    }
  }

  /// The directives of `selection`.
  public func directives(of selection: Selection) -> Directive.List {
    switch selection {
    case .field(let id): self[id].directives
    case .fragmentSpread(let id): self[id].directives
    case .inlineFragment(let id): self[id].directives
    }
  }
}
