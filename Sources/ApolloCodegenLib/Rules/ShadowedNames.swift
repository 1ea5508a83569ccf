import ApolloIR
import GraphQLSyntax

/// Warns about custom scalars that have the names of types in Foundation.
///
/// A file that imports Foundation and the generated module cannot say `Date` when both declare one:
/// Swift calls it ambiguous. Once the scalar's file exists, its name has been decided.
struct ShadowedNames {
  static let rule: Diagnostic.Rule = "ShadowedNames"

  private static let foundation: Set<String> = [
    "Bundle", "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval",
    "Decimal", "Formatter", "IndexPath", "IndexSet", "Locale", "Measurement", "Notification",
    "Operation", "Process", "Progress", "Scanner", "Stream", "Thread", "TimeZone", "Timer", "URL",
    "UUID", "Unit",
  ]

  /// The warnings about scalars that get their first files.
  ///
  /// - Parameters:
  ///   - named: The program whose scalars are checked.
  ///   - folder: The folder of the schema's sources.
  ///   - fileSystem: Tells which scalars have files.
  /// - Returns: One warning for each name, in the order of the scalars.
  static func diagnostics(
    _ named: NamedProgram, folder: String, _ fileSystem: any FileSystem
  ) -> [Diagnostic] {
    // Embedded types are always qualified with their namespace.
    guard !named.layout.isEmbedded else { return [] }
    return named.program.types.scalars.compactMap { scalar in
      let name = named.names.schemaType(scalar.name, .scalar)
      let type = ScalarType(scalar, in: named.program.schema)
      guard foundation.contains(name), type.name != "Foundation.\(name)",
        !["", SwiftNames.SchemaTypeKind.scalar.fileSuffix].contains(where: {
          fileSystem.kind(of: "\(folder)/Schema/CustomScalars/\(name)\($0).swift") != nil
        })
      else { return nil }
      return Diagnostic(
        rule: rule, severity: .warning,
        message: """
          The scalar '\(scalar.name)' becomes '\(name)', which is also a type of Foundation, so the \
          name alone is ambiguous in files that import both modules. Rename it in the \
          configuration, such as "customTypeNames": { "\(scalar.name)": "Local\(name)" } in \
          'options.schemaCustomization', or say '\(named.layout.namespace).\(name)'.
          """, at: scalar.span)
    }
  }
}
