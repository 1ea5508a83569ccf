import ApolloIR
import SwiftSource

extension Renderer {
  // MARK: - Enums

  func enumFile(_ type: EnumType) -> SourceFile {
    let name = names.schemaType(type.name, .enum)
    let values = type.values.filter {
      options.deprecatedEnumCases == .include || $0.deprecationReason == nil
    }
    let access = layout.schemaModifiers
    let cases = values.map { value in
      let caseName = names.enumCase(value.name, of: type.name)
      return Declaration(
        .enumCase(EnumCase(caseName, rawValue: caseName == value.name ? nil : .string(value.name))),
        // An attribute would keep the compiler from listing `allCases`.
        documentation: documentation(value.description, deprecated: value.deprecationReason))
    }
    let declaration = Declaration(
      .group(Group("enum", name, inherits: ["String", "EnumType"], members: cases)),
      documentation: documentation(type.description), modifiers: layout.typeModifiers(access))
    var file = schemaFile([declaration])
    if program.types.inputEnums.contains(type.name), !values.isEmpty {
      file.declarations.append(literals(of: values, type, name))
    }
    return file
  }

  /// `.empire` wherever an `Episode` is sent, nullable or not.
  private func literals(of values: [EnumType.Value], _ type: EnumType, _ name: String)
    -> Declaration
  {
    // Not the name alone: an enum may be called `Value` itself.
    let qualified = "\(layout.namespace).\(name)"
    let members = values.map { value in
      let caseName = names.enumCase(value.name, of: type.name)
      return Declaration(
        .property(Property(caseName, type: "Self", ["Self(.\(caseName))"])),
        attributes: deprecation(value.deprecationReason),
        // Where the enum itself is expected as well, its case is meant.
        modifiers: ["@_disfavoredOverload"] + layout.schemaModifiers + ["static"])
    }
    return Declaration(
      .group(
        Group("extension", "EnumLiteral", requirements: "Value == \(qualified)", members: members)),
      modifiers: layout.isNonisolated ? ["nonisolated"] : [])
  }

  // MARK: - Input objects

  func inputObjectFile(_ type: InputObjectType) -> SourceFile {
    schemaFile([type.isOneOf ? oneOf(type) : inputObject(type)])
  }

  private func inputObject(_ type: InputObjectType) -> Declaration {
    let access = layout.schemaModifiers
    let fields = type.fields.map { field in
      (field, name: names.inputField(field.name, of: type.name), type: inputFieldType(field))
    }
    let storages = storages(of: type, fields.map(\.name))
    let properties = zip(fields, storages).flatMap { field, storage in
      inputProperty(field.0, field.name, field.type, storage: storage)
    }
    let initializer = Declaration(
      .function(
        Function(
          "init",
          fields.map { field, name, type in
            Parameter(
              Identifier.escaped(name), type: type,
              value: field.type.isNonNull && !field.hasDefault ? nil : .code("nil"))
          },
          body: zip(fields, storages).map { field, storage in
            let value = Identifier.escaped(field.name)
            return storage.map { "self.\($0) = Indirect(\(value))" }
              ?? "self.\(Identifier.escaped(field.name)) = \(value)"
          })), modifiers: access)
    let values = fields.map { field, name, _ in
      Expression.Entry(.string(field.name), .code(Identifier.escaped(name)))
    }
    let data = Declaration(
      .property(Property("__data", type: "InputFields", [Expression.dictionary(values).flat])),
      modifiers: access)
    return Declaration(
      .group(
        Group(
          "struct", names.schemaType(type.name, .inputObject), inherits: ["InputObject"],
          members: properties + [initializer, data])),
      documentation: documentation(type.description), modifiers: layout.typeModifiers(access))
  }

  /// Where the values of recursive fields are; `nil` for others.
  private func storages(of type: InputObjectType, _ names: [String]) -> [String?] {
    var taken = Set(names)
    return zip(type.fields, names).map { field, name in
      guard recursion.isRecursive(field: field.name, of: type.name) else { return nil }
      var storage = "_" + name
      while !taken.insert(storage).inserted { storage += "_" }
      return storage
    }
  }

  /// A stored property; or, where the object contains itself, a computed one whose value is stored
  /// elsewhere.
  private func inputProperty(
    _ field: InputObjectType.Field, _ name: String, _ type: String, storage: String?
  ) -> [Declaration] {
    let content: Property.Storage =
      storage.map { .computed(getter: ["\($0).value"], setter: ["\($0).value = newValue"]) }
      ?? .var(nil)
    let property = Declaration(
      .property(Property(Identifier.escaped(name), type: type, content)),
      documentation: documentation(field.description, deprecated: field.deprecationReason),
      modifiers: layout.schemaModifiers)
    guard let storage else { return [property] }
    let stored = Declaration(
      .property(Property(storage, type: "Indirect<\(type)>", .var(nil))), modifiers: ["private"])
    return [property, stored]
  }

  /// A field that the server has a default for can be left out, although it cannot be null.
  private func inputFieldType(_ field: InputObjectType.Field) -> String {
    let type = inputType(field.type, in: Scope())
    return field.type.isNonNull && field.hasDefault ? "\(type)?" : type
  }

  /// A description that also says that something is deprecated, where an attribute is not possible.
  private func documentation(_ description: String?, deprecated reason: String?) -> String? {
    let lines = [
      documentation(description),
      options.warningsOnDeprecatedUsage == .include ? reason.map { "**Deprecated**: \($0)" } : nil,
    ].compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n\n")
  }

  private func oneOf(_ type: InputObjectType) -> Declaration {
    let access = layout.schemaModifiers
    let cases = type.fields.map { field in
      Declaration(
        .enumCase(
          EnumCase(
            Identifier.escaped(names.inputField(field.name, of: type.name)),
            payload: presentInputType(field.type, in: Scope()))),
        documentation: documentation(field.description, deprecated: field.deprecationReason))
    }
    let branches = type.fields.map { field in
      "case .\(Identifier.escaped(names.inputField(field.name, of: type.name)))(let value): "
        + "[\(StringLiteral.escaped(field.name)): value]"
    }
    let data = Declaration(
      .property(Property("__data", type: "InputFields", ["switch self {"] + branches + ["}"])),
      modifiers: access)
    let isRecursive = type.fields.contains { recursion.isRecursive(field: $0.name, of: type.name) }
    return Declaration(
      .group(
        Group(
          "enum", names.schemaType(type.name, .inputObject), inherits: ["OneOfInputObject"],
          members: cases + [data])),
      documentation: documentation(type.description),
      modifiers: layout.typeModifiers(access) + (isRecursive ? ["indirect"] : []))
  }

  // MARK: - Custom scalars

  /// Written once; what the scalar is in Swift is the user's to say.
  func scalarFile(_ type: CustomScalar) -> SourceFile {
    let name = names.schemaType(type.name, .scalar)
    let target = Self.untypedScalars.contains(type.name.lowercased()) ? "JSONValue" : "String"
    var lines = [documentation(type.description)]
    lines.append(type.specifiedBy.map { "Specified by: \($0)" })
    lines.append(
      """
      This file is yours: it is written once and never overwritten. Name another type here, \
      or declare
      one that conforms to `CustomScalarType`.
      """)
    let declaration = Declaration(
      .typeAlias(name: name, target: target),
      documentation: lines.compactMap { $0 }.joined(separator: "\n\n"),
      modifiers: layout.schemaModifiers)
    // An import that a file does not need is a warning.
    let imports = target == "JSONValue" ? ["ApolloAPI"] : []
    return file(
      [declaration], imports: imports, isNested: layout.isEmbedded,
      isPublic: layout.schemaAccess == .public, isEditable: true)
  }

  /// Names under which servers offer scalars that hold any JSON.
  private static let untypedScalars: Set<String> = [
    "any", "json", "jsonobject", "jsonvalue", "map", "object", "unknown",
  ]
}
