/// An input object type of the schema: a struct with one settable property for each field.
public protocol InputObject: InputValue, Hashable {
  /// The fields as a request contains them, in the order of the schema.
  var __data: GeneratedCode.InputFields { get }
}

extension InputObject {
  /// The present fields as a JSON object.
  public var __inputValue: JSONValue? { __data.jsonValue }
}

/// An input object type of which exactly one field is given (`@oneOf`): an enum with a case for
/// each field.
public protocol OneOfInputObject: InputObject {}
