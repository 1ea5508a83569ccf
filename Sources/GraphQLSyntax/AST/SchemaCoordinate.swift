/// The address of a schema element, such as `Type.field(argument:)`.
///
/// Spec: 3.14, "Schema Coordinates".
public enum SchemaCoordinate: Hashable, Sendable {
  /// A type: `Type`.
  case type(String)
  /// A field, an input field, or an enum value: `Type.member`.
  case member(type: String, name: String)
  /// An argument of a field: `Type.field(argument:)`.
  case argument(type: String, field: String, name: String)
  /// A directive: `@directive`.
  case directive(String)
  /// An argument of a directive: `@directive(argument:)`.
  case directiveArgument(directive: String, name: String)
}

extension SchemaCoordinate: CustomStringConvertible {
  /// The coordinate in the notation of the specification: `Type.field(argument:)`.
  public var description: String {
    switch self {
    case .type(let type): type
    case .member(let type, let name): "\(type).\(name)"
    case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
    case .directive(let directive): "@\(directive)"
    case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
    }
  }
}
