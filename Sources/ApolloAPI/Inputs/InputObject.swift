/// An input object type of the schema: a struct with one settable property for each field.
public protocol InputObject: InputValue, Hashable {
  /// The fields as they are sent, in the order of the schema.
  var __data: InputFields { get }
}

extension InputObject {
  /// A JSON object of the fields that are present.
  public var __inputValue: JSONValue? { __data.jsonValue }
}

/// An input object type of the schema of which exactly one field is given (`@oneOf`): an enum with one case for each field.
public protocol OneOfInputObject: InputObject {}
