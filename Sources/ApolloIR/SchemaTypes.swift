package import GraphQLSyntax

/// The type of a field, a variable or an input field, with the names of the schema.
package indirect enum ValueType: Hashable, Sendable {
  case named(NamedType)
  case list(ValueType)
  case nonNull(ValueType)

  package var isNonNull: Bool { if case .nonNull = self { true } else { false } }

  /// The type without its outermost non-null.
  package var nullable: ValueType { if case .nonNull(let type) = self { type } else { self } }

  /// `true` if the values are lists, nullable or not.
  package var isList: Bool { if case .list = nullable { true } else { false } }

  /// The type inside all lists and non-nulls.
  package var innermost: NamedType {
    switch self {
    case .named(let type): type
    case .list(let type), .nonNull(let type): type.innermost
    }
  }
}

package struct NamedType: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// `String`, `Int`, `Float`, `Boolean` or `ID`.
    case builtInScalar
    case customScalar
    case `enum`
    case inputObject
    /// An object, interface or union.
    case composite
  }

  package var name: String
  package var kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// The types of the schema that a program refers to, each kind sorted by name.
package struct ReferencedTypes: Sendable {
  package var scalars: [CustomScalar] = []
  package var enums: [EnumType] = []
  package var inputObjects: [InputObjectType] = []
  package var objects: [ObjectType] = []
  package var interfaces: [InterfaceType] = []
  package var unions: [UnionType] = []
  /// The enums that are sent to a server, as variables or inside of input objects.
  package var inputEnums: Set<String> = []
  /// The maximum ages of all composite types of the schema and of their fields, in the order of the
  /// schema.
  package var maxAges: [CacheControl] = []
}

/// The maximum age of a field or of an operation.
package enum MaxAgeRule: Hashable, Sendable {
  /// A number of seconds.
  case seconds(Int32)
  /// That of the field that leads to the object.
  case inherited

  /// Returns the stricter one of two rules.
  func stricter(_ other: MaxAgeRule) -> MaxAgeRule {
    switch (self, other) {
    case (.seconds(let left), .seconds(let right)): .seconds(min(left, right))
    case (.inherited, _): other
    case (_, .inherited): self
    }
  }
}

/// A `@cacheControl(maxAge: 60)` or `@cacheControl(inheritMaxAge: true)`.
package struct CacheControl: Hashable, Sendable {
  /// A type or a field, such as `Product.price`.
  package var coordinate: String
  /// The number of seconds, or `nil` for that of the field that leads to the object.
  package var seconds: Int32?
}

package struct CustomScalar: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var specifiedBy: String?
}

package struct EnumType: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var values: [Value]

  package struct Value: Sendable {
    package var name: String
    /// The span of the name.
    package var span: SourceSpan
    package var description: String?
    package var deprecationReason: String?
  }
}

package struct InputObjectType: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var isOneOf: Bool
  package var fields: [Field]

  package struct Field: Sendable {
    package var name: String
    /// The span of the name.
    package var span: SourceSpan
    package var description: String?
    package var deprecationReason: String?
    package var type: ValueType
    package var hasDefault: Bool
  }
}

package struct ObjectType: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  /// The names of the interfaces, sorted.
  package var interfaces: [String]
  package var keyFields: [String]?
  /// The field policies, sorted by field.
  package var fieldPolicies: [FieldPolicy]
  /// The policies of lists, sorted by field.
  package var listPolicies: [ListPolicy]
  /// The fields that find objects, if this is the root type of queries: those with a policy first.
  package var lookups: [ObjectLookup]
  /// Indicates whether this is the root type of queries.
  package var isQueryRoot: Bool
}

/// A field at the root of queries that finds an object by its key field: `node(id: ID!): Node`.
package struct ObjectLookup: Hashable, Sendable {
  package var field: String
  package var argument: String
  /// The type of the argument, as it is written in a document.
  package var argumentType: String
  /// The name of the field's type.
  package var type: String
  /// The field of the objects whose value the argument takes.
  package var keyField: String
}

/// A `@fieldPolicy(forField: "hero", keyArgs: "id")`: the arguments that determine the objects of a
/// field.
package struct FieldPolicy: Sendable {
  package var field: String
  package var keyArguments: [String]
}

package struct InterfaceType: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var keyFields: [String]?
  /// The field policies, sorted by field.
  package var fieldPolicies: [FieldPolicy]
  /// The policies of lists, sorted by field.
  package var listPolicies: [ListPolicy]
  /// The object types that implement it, sorted by name.
  package var implementingObjects: [String]
}

package struct UnionType: Sendable {
  package var name: String
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var possibleTypes: [String]
}
