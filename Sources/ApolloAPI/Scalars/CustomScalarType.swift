/// A custom scalar of the schema.
///
/// Values are decoded once, when a response arrives, so that reading a property cannot fail. `Date`, `URL`, `UUID`, `Decimal` and
/// ``JSONValue`` conform already; an alias of `String`, `Int`, `Double` or `Bool` needs nothing at all.
public protocol CustomScalarType: Hashable, LeafValue, InputValue {
  /// Decodes the value from what a server sent.
  ///
  /// - Throws: any error, for instance a ``ScalarError``; it is reported with the response path.
  init(_jsonValue value: JSONValue) throws

  /// The value as it is sent to a server and written as JSON.
  var _jsonValue: JSONValue { get }
}

extension CustomScalarType {
  /// The same as ``_jsonValue``.
  public var __inputValue: JSONValue? { _jsonValue }
}

/// The `ID` scalar. Servers may send numbers; they are read as their text.
public typealias ID = String

/// The name of ``ID`` in Apollo iOS before 1.0.
public typealias GraphQLID = String
