/// A difference between two versions of a schema.
///
/// ```swift
/// for change in newSchema.changes(since: oldSchema) where change.criticality == .breaking {
///   print("\(change.coordinate): \(change.message)")
/// }
/// ```
public struct SchemaChange: Hashable, Sendable {
  /// The kind of change.
  public var kind: Kind
  /// The changed element as a schema coordinate: `Type.field(argument:)`, `@directive`,
  /// `Enum.VALUE`.
  public var coordinate: String
  /// The change in one sentence.
  public var message: String
  /// Another schema coordinate that operations can use to depend on the change, or `nil`.
  ///
  /// For an argument or input field that becomes required, it is the owner. For an interface that
  /// is no longer implemented, it is the interface.
  public var related: String?

  /// The effect of a change on operations that are valid against the old schema.
  ///
  /// It is that of the change by itself. In rare cases, a change that is not breaking makes an
  /// operation invalid: fields with one response name can no longer be merged if the type of one of
  /// them has changed. Validate the operations against the new schema to find these.
  public enum Criticality: String, Hashable, Sendable, CaseIterable {
    /// Operations, the values of their variables or code for their responses can become invalid.
    case breaking
    /// Operations remain valid but can behave differently.
    case dangerous
    /// Operations are not affected.
    case safe
  }

  /// The effect of the change on operations that are valid against the old schema.
  ///
  /// It is that of the kind, with one exception: a default value whose removal makes an argument or
  /// input field required is a breaking change, because operations that omit the value become
  /// invalid. The reference implementation calls each changed default value dangerous.
  public var criticality: Criticality {
    switch kind {
    case .argumentDefaultValueChanged, .inputFieldDefaultValueChanged:
      related == nil ? kind.criticality : .breaking
    default: kind.criticality
    }
  }

  /// A kind of change. The raw value is its name in the reference implementation.
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
    case oneOfAdded = "ONE_OF_ADDED"

    case valueAddedToEnum = "VALUE_ADDED_TO_ENUM"
    case typeAddedToUnion = "TYPE_ADDED_TO_UNION"
    case optionalInputFieldAdded = "OPTIONAL_INPUT_FIELD_ADDED"
    case optionalArgumentAdded = "OPTIONAL_ARG_ADDED"
    case implementedInterfaceAdded = "IMPLEMENTED_INTERFACE_ADDED"
    case argumentDefaultValueChanged = "ARG_DEFAULT_VALUE_CHANGE"
    case inputFieldDefaultValueChanged = "INPUT_FIELD_DEFAULT_VALUE_CHANGE"
    case oneOfChanged = "ONE_OF_CHANGED"
    case specifiedByChanged = "SPECIFIED_BY_CHANGED"

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

    /// The effect of most changes of this kind on operations that are valid against the old schema.
    /// ``SchemaChange/criticality`` is that of one change.
    public var criticality: Criticality {
      switch self {
      case .typeRemoved, .typeChangedKind, .typeRemovedFromUnion, .valueRemovedFromEnum,
        .requiredInputFieldAdded, .implementedInterfaceRemoved, .fieldRemoved, .fieldChangedKind,
        .requiredArgumentAdded, .argumentRemoved, .argumentChangedKind, .directiveRemoved,
        .directiveArgumentRemoved, .requiredDirectiveArgumentAdded, .directiveRepeatableRemoved,
        .directiveLocationRemoved, .rootTypeChanged, .oneOfAdded:
        .breaking
      case .valueAddedToEnum, .typeAddedToUnion, .optionalInputFieldAdded, .optionalArgumentAdded,
        .implementedInterfaceAdded, .argumentDefaultValueChanged, .inputFieldDefaultValueChanged,
        .oneOfChanged, .specifiedByChanged:
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
