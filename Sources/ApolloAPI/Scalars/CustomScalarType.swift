/// A custom scalar of the schema.
///
/// ```swift
/// struct Money: CustomScalarType {
///   var cents: Int
///
///   init(_jsonValue value: JSONValue) throws {
///     guard let cents = value.intValue else { throw ScalarError(expected: "cents", found: value) }
///     self.cents = cents
///   }
///
///   var _jsonValue: JSONValue { .int(Int64(cents)) }
/// }
/// ```
///
/// Values are decoded when a response arrives, so that reading a property cannot fail. `Date`,
/// `URL`, `UUID`, `Decimal` and ``JSONValue`` conform already; an alias of `String`, `Int`,
/// `Double` or `Bool` requires no code.
public protocol CustomScalarType: Hashable, GeneratedCode.LeafValue, InputValue {
  /// Decodes a value of a response.
  ///
  /// - Throws: Any error, such as a ``ScalarError``. It is reported with the response path.
  init(_jsonValue value: JSONValue) throws

  /// The value as JSON, in requests and elsewhere.
  var _jsonValue: JSONValue { get }
}

extension CustomScalarType {
  /// The same as ``_jsonValue``.
  public var __inputValue: JSONValue? { _jsonValue }
}

/// The `ID` scalar. Numbers of a response become their text.
public typealias ID = String

/// The name of ``ID`` in Apollo iOS before 1.0.
public typealias GraphQLID = String
