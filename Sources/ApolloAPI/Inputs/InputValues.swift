extension GeneratedCode {
  /// The values of an input object with very many fields, or of an operation with very many
  /// variables.
  ///
  /// Such a type has no stored properties of its own. The compiler's time for a type with 500 of
  /// them is quadratic: each is assigned, compared, hashed and copied by itself.
  ///
  /// ```swift
  /// var stars: GraphQLNullable<Int> {
  ///   get { __values[0] }
  ///   set { __values[0] = newValue }
  /// }
  /// ```
  public struct InputValues: Sendable {
    private let names: NameList
    private var values: [any InputValue]

    /// Creates values.
    ///
    /// - Parameters:
    ///   - names: The names of the fields or variables.
    ///   - values: The value of each.
    public init(_ names: NameList, _ values: [any InputValue]) {
      self.names = names
      self.values = values
    }

    /// The value at a position. Its type must be that of the property in generated code.
    public subscript<Value: InputValue>(position: Int) -> Value {
      get {
        guard let value = values[position] as? Value else {
          preconditionFailure("The generated initializer has stored a value of another type.")
        }
        return value
      }
      set { values[position] = newValue }
    }

    /// The fields as a request contains them: those that are absent are left out.
    public var fields: InputFields {
      var fields = InputFields()
      for (name, value) in zip(names.names, values) { fields.append(value, named: name) }
      return fields
    }
  }
}

@usableFromInline package typealias InputValues = GeneratedCode.InputValues

/// Values are printed with their names, like stored properties.
extension InputValues: CustomReflectable {
  /// A mirror of the values by name.
  public var customMirror: Mirror {
    Mirror(self, children: zip(names.names, values).map { (label: $0, value: $1) })
  }
}

/// Values are equal if requests with them are.
extension InputValues: Hashable {
  /// Returns whether requests with both values are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.fields == rhs.fields }

  /// Hashes what a request contains.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
