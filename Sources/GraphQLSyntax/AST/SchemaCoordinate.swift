/// The address of something in a schema: `Type.field(argument:)`.
///
/// Spec: 3.14, "Schema Coordinates".
public enum SchemaCoordinate: Hashable, Sendable {
  /// `Type`
  case type(String)
  /// `Type.member`: a field, an input field, or a value of an enum.
  case member(type: String, name: String)
  /// `Type.field(argument:)`
  case argument(type: String, field: String, name: String)
  /// `@directive`
  case directive(String)
  /// `@directive(argument:)`
  case directiveArgument(directive: String, name: String)
}

extension SchemaCoordinate: CustomStringConvertible {
  /// The coordinate as the specification writes it: `Type.field(argument:)`.
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
