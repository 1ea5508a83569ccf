extension GeneratedCode {
  /// Named values in a fixed order: the variables of an operation, or the fields of an input
  /// object.
  ///
  /// Absent values (``GraphQLNullable/none``, `nil`) are left out.
  ///
  /// ```swift
  /// let fields: InputFields = ["stars": 5, "commentary": GraphQLNullable<String>.null]
  /// ```
  public struct InputFields: Hashable, Sendable {
    /// The fields that are present, in the order they were given.
    public private(set) var fields: [Field] = []

    /// One name and its value.
    public struct Field: Hashable, Sendable {
      /// The name in the schema or the operation, without `$`.
      public var name: String
      /// The value as JSON.
      public var value: JSONValue
    }

    /// No fields.
    public init() {}

    /// The value of the field named `name`. Set `nil` to remove the field.
    public subscript(name: String) -> JSONValue? {
      get { fields.first { $0.name == name }?.value }
      set {
        let index = fields.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let value?): fields[index].value = value
        case (let index?, nil): fields.remove(at: index)
        case (nil, let value?): fields.append(Field(name: name, value: value))
        case (nil, nil): break
        }
      }
    }

    /// Adds a field at the end, unless its value is absent.
    mutating func append(_ value: any InputValue, named name: String) {
      guard let value = value.__inputValue else { return }
      fields.append(Field(name: name, value: value))
    }

    /// `true` if there are no fields.
    public var isEmpty: Bool { fields.isEmpty }

    /// A text that differs whenever a name or a value does, for use as a key. Equal fields in
    /// another order may have another text.
    package var distinctiveText: String {
      var text = ""
      for field in fields {
        text += field.name
        switch field.value {
        case .string(let value):
          // With its length, so that no value can imitate the end of another.
          text += "=\(value.utf8.count):"
          text += value
        case let value: text += ":\(value)"
        }
        text += ";"
      }
      return text
    }

    /// The fields as a JSON object.
    public var jsonValue: JSONValue {
      .object(Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }
}

@usableFromInline package typealias InputFields = GeneratedCode.InputFields

/// The variables of an operation, by name without `$`.
public typealias Variables = GeneratedCode.InputFields

extension InputFields: ExpressibleByDictionaryLiteral {
  /// Encodes each value and leaves out absent ones.
  public init(dictionaryLiteral elements: (String, any InputValue)...) {
    fields.reserveCapacity(elements.count)
    for (name, value) in elements { append(value, named: name) }
  }
}
