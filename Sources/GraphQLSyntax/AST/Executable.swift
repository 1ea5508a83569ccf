/// The type of an operation: query, mutation or subscription.
public enum OperationKind: UInt8, Hashable, Sendable, CaseIterable {
  case query
  case mutation
  case subscription

  /// Creates the kind with the keyword `symbol`, or `nil` if there is none.
  public init?(_ symbol: Symbol) {
    switch symbol {
    case .query: self = .query
    case .mutation: self = .mutation
    case .subscription: self = .subscription
    default: return nil
    }
  }

  /// The keyword of the kind.
  public var symbol: Symbol {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }

  /// The location of directives on operations of the kind.
  package var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}

/// An operation: `query Hero($id: ID!) @live { … }`, or `{ … }`.
///
/// Spec: 2.3, "Operations".
public struct OperationDefinition: Node {
  /// The type of the operation. A shorthand is a query.
  public var kind: OperationKind
  /// A Boolean value that indicates whether the operation consists of a selection set alone.
  public var isShorthand: Bool
  /// The description, or `nil` without one. A shorthand has none.
  public var description: StringLiteral?
  /// The name, or `nil` for an anonymous operation.
  public var name: Name?
  /// The declared variables, in the order of the text.
  public var variables: VariableDefinition.List
  /// The directives on the operation.
  public var directives: Directive.List
  /// The selections from the root operation type.
  public var selectionSet: SelectionSet
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A fragment definition: `fragment HeroDetails on Character { … }`, or
/// `fragment HeroDetails($size: Int = 3) on Character { … }`.
///
/// Spec: 2.8, "Fragments".
public struct FragmentDefinition: Node {
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name that spreads use.
  public var name: Name
  /// The variables of the fragment itself, in the order of the text. Only documents that are parsed
  /// with ``ParserOptions/allowsFragmentArguments`` have some.
  public var variables: VariableDefinition.List
  /// The type after `on`.
  public var typeCondition: Name
  /// The directives on the fragment definition.
  public var directives: Directive.List
  /// The selections that a spread includes.
  public var selectionSet: SelectionSet
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A variable definition: `$id: ID! = "1" @directive`.
///
/// Spec: 2.10, "Variables".
public struct VariableDefinition: Node {
  /// The description, or `nil` without one.
  public var description: StringLiteral?
  /// The name without `$`.
  public var name: Name
  /// The span from `$` to the end of the name.
  public var variableSpan: SourceSpan
  /// The type after the colon.
  public var type: TypeReference
  /// The default value after `=`, or `nil` without one.
  public var defaultValue: Value?
  /// The directives on the variable definition.
  public var directives: Directive.List
  /// The span from the first token, which is the description if there is one, to the last.
  public var span: SourceSpan
}

/// A selection set in braces: `{ name friends { name } }`. It contains at least one selection.
///
/// Two sets are equal if they are the same set of the same document.
public struct SelectionSet: Hashable, Sendable {
  /// The fields, fragment spreads and inline fragments, in the order of the text.
  public var selections: NodeList<Selection>
  /// The span from brace to brace.
  public var span: SourceSpan
}

/// An entry of a selection set.
public enum Selection: Hashable, Sendable {
  case field(Field.ID)
  case fragmentSpread(FragmentSpread.ID)
  case inlineFragment(InlineFragment.ID)
}

/// A selected field: `alias: name(argument: 1) @include(if: $a) { … }`.
///
/// Spec: 2.5, "Fields".
public struct Field: Node {
  /// The alias, or a name without a symbol. No optional, and no tag in memory: documents can have
  /// millions of fields, and 64 bytes are copied faster than 72.
  @usableFromInline var aliasOrNone: Name
  /// The name of the field in the schema.
  public var name: Name
  /// The arguments, in the order of the text.
  public var arguments: Argument.List
  /// The directives on the field.
  public var directives: Directive.List
  /// The selections, or an empty set.
  @usableFromInline var selectionSetOrNone: SelectionSet
  /// The span from the alias, or else the name, to the last token.
  public var span: SourceSpan

  init(
    alias: Name?, name: Name, arguments: Argument.List, directives: Directive.List,
    selectionSet: SelectionSet?, span: SourceSpan
  ) {
    aliasOrNone = alias ?? Self.noAlias
    self.name = name
    self.arguments = arguments
    self.directives = directives
    selectionSetOrNone = selectionSet ?? Self.noSelectionSet
    self.span = span
  }

  private static var noAlias: Name {
    Name(symbol: Symbol(rawValue: .max), span: SourceSpan(at: 0))
  }

  private static var noSelectionSet: SelectionSet {
    SelectionSet(selections: .empty, span: SourceSpan(at: 0))
  }

  /// The alias before the colon, or `nil` without one.
  public var alias: Name? {
    @inlinable get { aliasOrNone.symbol.rawValue == .max ? nil : aliasOrNone }
    set { aliasOrNone = newValue ?? Self.noAlias }
  }

  /// The selections from the field's value, or `nil` for a leaf.
  public var selectionSet: SelectionSet? {
    @inlinable get { selectionSetOrNone.selections.isEmpty ? nil : selectionSetOrNone }
    set { selectionSetOrNone = newValue ?? Self.noSelectionSet }
  }

  /// The key of the field in the response: the alias, or else the name.
  @inlinable
  public var responseName: Symbol { alias?.symbol ?? name.symbol }
}

/// A fragment spread: `...HeroDetails @include(if: $a)`, or `...HeroDetails(size: 4)`.
public struct FragmentSpread: Node {
  /// The name of the fragment definition.
  public var name: Name
  /// The values for variables of the fragment, in the order of the text.
  public var arguments: Argument.List
  /// The directives on the spread.
  public var directives: Directive.List
  /// The span from `...` to the last token.
  public var span: SourceSpan
}

/// An inline fragment: `... on Droid @include(if: $a) { … }`.
public struct InlineFragment: Node {
  /// The type after `on`, or `nil` to keep the type of the enclosing selection set.
  public var typeCondition: Name?
  /// The directives on the inline fragment.
  public var directives: Directive.List
  /// The selections that apply to values of the type.
  public var selectionSet: SelectionSet
  /// The span from `...` to the closing brace.
  public var span: SourceSpan
}

/// An argument of a field or a directive: `name: value`.
public struct Argument: Node {
  /// The name before the colon.
  public var name: Name
  /// The value after the colon.
  public var value: Value
  /// The span from the name to the end of the value.
  public var span: SourceSpan
}

/// An applied directive: `@include(if: $a)`.
///
/// Spec: 2.12, "Directives".
public struct Directive: Node {
  /// The name without `@`.
  public var name: Name
  /// The arguments, in the order of the text.
  public var arguments: Argument.List
  /// The span from `@` to the last token.
  public var span: SourceSpan
}

extension Document {
  /// Returns the span of `selection`.
  public func span(of selection: Selection) -> SourceSpan {
    switch selection {
    case .field(let id): self[id].span
    case .fragmentSpread(let id): self[id].span
    case .inlineFragment(let id): self[id].span
    }
  }

  /// Returns the directives on `selection`.
  public func directives(of selection: Selection) -> Directive.List {
    switch selection {
    case .field(let id): self[id].directives
    case .fragmentSpread(let id): self[id].directives
    case .inlineFragment(let id): self[id].directives
    }
  }
}
