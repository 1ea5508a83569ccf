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
  public var kind: OperationKind
  /// Whether it is written as a selection set alone.
  public var isShorthand: Bool
  public var description: StringLiteral?
  public var name: Name?
  public var variables: VariableDefinition.List
  public var directives: Directive.List
  public var selectionSet: SelectionSet
  public var span: SourceSpan
}

/// `fragment HeroDetails on Character { … }`.
///
/// Spec: 2.8, "Fragments".
public struct FragmentDefinition: Node {
  public var description: StringLiteral?
  public var name: Name
  public var typeCondition: Name
  public var directives: Directive.List
  public var selectionSet: SelectionSet
  public var span: SourceSpan
}

/// `$id: ID! = "1" @directive`, with a description perhaps.
///
/// Spec: 2.10, "Variables".
public struct VariableDefinition: Node {
  public var description: StringLiteral?
  /// The name without `$`; the span of the variable is `variableSpan`.
  public var name: Name
  /// From `$` to the end of the name.
  public var variableSpan: SourceSpan
  public var type: TypeReference
  public var defaultValue: Value?
  public var directives: Directive.List
  public var span: SourceSpan
}

/// `{ … }`: selections, at least one.
///
/// It is identified by its list of selections, which is why it is hashable.
public struct SelectionSet: Hashable, Sendable {
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
  public var alias: Name?
  public var name: Name
  public var arguments: Argument.List
  public var directives: Directive.List
  public var selectionSet: SelectionSet?
  public var span: SourceSpan

  /// The key under which it is in the response: the alias, or else the name.
  @inlinable
  public var responseName: Symbol { alias?.symbol ?? name.symbol }
}

/// `...HeroDetails @include(if: $a)`.
public struct FragmentSpread: Node {
  public var name: Name
  public var directives: Directive.List
  public var span: SourceSpan
}

/// `... on Droid @include(if: $a) { … }`.
public struct InlineFragment: Node {
  public var typeCondition: Name?
  public var directives: Directive.List
  public var selectionSet: SelectionSet
  public var span: SourceSpan
}

/// `name: value` of a field or a directive.
public struct Argument: Node {
  public var name: Name
  public var value: Value
  public var span: SourceSpan
}

/// `@include(if: $a)`.
///
/// Spec: 2.12, "Directives".
public struct Directive: Node {
  /// The name without `@`.
  public var name: Name
  public var arguments: Argument.List
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
