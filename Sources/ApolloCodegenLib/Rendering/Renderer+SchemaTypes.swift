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
        documentation: documentation(value.description),
        attributes: deprecation(value.deprecationReason))
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
  private func literals(of values: [EnumType.Value], _ type: EnumType, _ name: String) -> Declaration {
    let qualified = layout.isEmbedded ? "\(layout.namespace).\(name)" : name
    let members = values.map { value in
      let caseName = names.enumCase(value.name, of: type.name)
      return Declaration(
        .property(Property(caseName, type: "Self", ["Self(.\(caseName))"])),
        attributes: deprecation(value.deprecationReason),
        modifiers: layout.schemaModifiers + ["static"])
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
    let properties = fields.map { field, name, type_ in
      Declaration(
        .property(Property(Identifier.escaped(name), type: type_, .var(nil))),
        documentation: documentation(ofInputField: field),
        attributes: recursion.isRecursive(field: field.name, of: type.name) ? ["@Indirect"] : [],
        modifiers: access)
    }
    let initializer = Declaration(
      .function(
        Function(
          "init",
          fields.map { field, name, type in
            Parameter(
              Identifier.parameter(name), type: type,
              value: field.type.isNonNull && !field.hasDefault ? nil : .code("nil"))
          },
          body: fields.map { _, name, _ in
            "self.\(Identifier.escaped(name)) = \(Identifier.parameterReference(name))"
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

  /// A field that the server has a default for can be left out, although it cannot be null.
  private func inputFieldType(_ field: InputObjectType.Field) -> String {
    let type = inputType(field.type, in: Scope())
    return field.type.isNonNull && field.hasDefault ? "\(type)?" : type
  }

  private func documentation(ofInputField field: InputObjectType.Field) -> String? {
    let lines = [
      documentation(field.description),
      options.warningsOnDeprecatedUsage == .include
        ? field.deprecationReason.map { "Deprecated: \($0)" } : nil,
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
        documentation: documentation(ofInputField: field))
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
      This file is yours: it is written once and never overwritten. Name another type here, or declare
      one that conforms to `CustomScalarType`.
      """)
    let declaration = Declaration(
      .typeAlias(name: name, target: target),
      documentation: lines.compactMap { $0 }.joined(separator: "\n\n"),
      modifiers: layout.schemaModifiers)
    return file(
      [declaration], imports: ["ApolloAPI"], isNested: layout.isEmbedded,
      isPublic: layout.schemaAccess == .public, isEditable: true)
  }

  /// Names under which servers offer scalars that hold any JSON.
  private static let untypedScalars: Set<String> = [
    "any", "json", "jsonobject", "jsonvalue", "map", "object", "unknown",
  ]
}
