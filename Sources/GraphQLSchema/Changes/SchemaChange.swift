/// One difference between two schemas.
public struct SchemaChange: Hashable, Sendable {
  /// What kind of change it is.
  public var kind: Kind
  /// What changed, as a schema coordinate: `Type.field(argument:)`, `@directive`, `Enum.VALUE`.
  public var coordinate: String
  /// The change as a sentence.
  public var message: String
  /// What the change concerns besides ``coordinate``: the owner of an argument or input field that
  /// must be given from now on, the interface that is no longer implemented.
  public var related: String?

  /// What a change means for operations that were valid before.
  public enum Criticality: String, Hashable, Sendable, CaseIterable {
    /// Operations may become invalid.
    case breaking
    /// Operations stay valid but may behave differently.
    case dangerous
    /// Nothing that was possible before is affected.
    case safe
  }

  /// What a change means for operations that were valid before.
  public var criticality: Criticality { kind.criticality }

  /// The kinds of changes, with the names that the reference implementation gives them.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case typeRemoved = "TYPE_REMOVED"
    case typeChangedKind = "TYPE_CHANGED_KIND"
    case typeRemovedFromUnion = "TYPE_REMOVED_FROM_UNION"
    case valueRemovedFromEnum = "VALUE_REMOVED_FROM_ENUM"
    case requiredInputFieldAdded = "REQUIRED_INPUT_FIELD_ADDED"
    case implementedInterfaceRemoved = "IMPLEMENTED_INTERFACE_REMOVED"
    case fieldRemoved = "FIELD_REMOVED"
    case fieldChangedKind = "FIELD_CHANGED_KIND"
    case requiredArgumentAdded = "REQUIRED_ARG_ADDED"
    case argumentRemoved = "ARG_REMOVED"
    case argumentChangedKind = "ARG_CHANGED_KIND"
    case directiveRemoved = "DIRECTIVE_REMOVED"
    case directiveArgumentRemoved = "DIRECTIVE_ARG_REMOVED"
    case requiredDirectiveArgumentAdded = "REQUIRED_DIRECTIVE_ARG_ADDED"
    case directiveRepeatableRemoved = "DIRECTIVE_REPEATABLE_REMOVED"
    case directiveLocationRemoved = "DIRECTIVE_LOCATION_REMOVED"
    case rootTypeChanged = "ROOT_TYPE_CHANGED"

    case valueAddedToEnum = "VALUE_ADDED_TO_ENUM"
    case typeAddedToUnion = "TYPE_ADDED_TO_UNION"
    case optionalInputFieldAdded = "OPTIONAL_INPUT_FIELD_ADDED"
    case optionalArgumentAdded = "OPTIONAL_ARG_ADDED"
    case implementedInterfaceAdded = "IMPLEMENTED_INTERFACE_ADDED"
    case argumentDefaultValueChanged = "ARG_DEFAULT_VALUE_CHANGE"
    case inputFieldDefaultValueChanged = "INPUT_FIELD_DEFAULT_VALUE_CHANGE"
    case oneOfChanged = "ONE_OF_CHANGED"

    case typeAdded = "TYPE_ADDED"
    case fieldAdded = "FIELD_ADDED"
    case fieldChangedKindSafe = "FIELD_CHANGED_KIND_SAFE"
    case argumentChangedKindSafe = "ARG_CHANGED_KIND_SAFE"
    case argumentDefaultValueAdded = "ARG_DEFAULT_VALUE_ADDED"
    case inputFieldDefaultValueAdded = "INPUT_FIELD_DEFAULT_VALUE_ADDED"
    case directiveAdded = "DIRECTIVE_ADDED"
    case directiveRepeatableAdded = "DIRECTIVE_REPEATABLE_ADDED"
    case directiveLocationAdded = "DIRECTIVE_LOCATION_ADDED"
    case optionalDirectiveArgumentAdded = "OPTIONAL_DIRECTIVE_ARG_ADDED"
    case descriptionChanged = "DESCRIPTION_CHANGED"
    case deprecationChanged = "DEPRECATION_CHANGED"

    /// What changes of this kind mean for operations that were valid before.
    public var criticality: Criticality {
      switch self {
      case .typeRemoved, .typeChangedKind, .typeRemovedFromUnion, .valueRemovedFromEnum,
        .requiredInputFieldAdded, .implementedInterfaceRemoved, .fieldRemoved, .fieldChangedKind,
        .requiredArgumentAdded, .argumentRemoved, .argumentChangedKind, .directiveRemoved,
        .directiveArgumentRemoved, .requiredDirectiveArgumentAdded, .directiveRepeatableRemoved,
        .directiveLocationRemoved, .rootTypeChanged:
        .breaking
      case .valueAddedToEnum, .typeAddedToUnion, .optionalInputFieldAdded, .optionalArgumentAdded,
        .implementedInterfaceAdded, .argumentDefaultValueChanged, .inputFieldDefaultValueChanged,
        .oneOfChanged:
        .dangerous
      case .typeAdded, .fieldAdded, .fieldChangedKindSafe, .argumentChangedKindSafe,
        .argumentDefaultValueAdded, .inputFieldDefaultValueAdded, .directiveAdded,
        .directiveRepeatableAdded, .directiveLocationAdded, .optionalDirectiveArgumentAdded,
        .descriptionChanged, .deprecationChanged:
        .safe
      }
    }
  }
}
