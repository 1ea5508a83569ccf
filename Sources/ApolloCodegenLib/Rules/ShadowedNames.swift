import ApolloIR
import GraphQLSyntax

/// Warns about custom scalars that have the names of types in Foundation, and about mocks that have
/// those of types in Swift's library.
///
/// A file that imports Foundation and the generated module cannot say `Date` when both declare one:
/// Swift calls it ambiguous. A type of Swift's library is hidden without a word: with a mock
/// `Task`, a test has no `Task.sleep`. Once the file exists, its name has been decided.
struct ShadowedNames {
  static let rule: Diagnostic.Rule = "ShadowedNames"

  private static let foundation: Set<String> = [
    "Bundle", "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval",
    "Decimal", "Formatter", "IndexPath", "IndexSet", "Locale", "Measurement", "Notification",
    "Operation", "Process", "Progress", "Scanner", "Stream", "Thread", "TimeZone", "Timer", "URL",
    "UUID", "Unit",
  ]

  /// Types of Swift's library that tests use.
  private static let library: Set<String> = [
    "Actor", "Array", "AsyncSequence", "AsyncStream", "Clock", "ContinuousClock", "Dictionary",
    "Duration", "MainActor", "Optional", "Regex", "Result", "Set", "Task", "TaskGroup",
  ]

  /// The warnings about the mocks that get their files.
  ///
  /// - Parameters:
  ///   - named: The program whose mocks are checked.
  ///   - folder: The folder of the mocks, or `nil` if there are none.
  ///   - fileSystem: Tells which mocks have files.
  /// - Returns: One warning for each name, in the order of the types.
  static func diagnostics(
    ofMocks named: NamedProgram, folder: String?, _ fileSystem: any FileSystem
  ) -> [Diagnostic] {
    guard let folder else { return [] }
    return named.program.types.objects.compactMap { type in
      let name = named.names.mock(type.name)
      guard library.contains(name),
        fileSystem.kind(of: "\(folder)/\(name)+Mock.graphql.swift") == nil
      else { return nil }
      return Diagnostic(
        rule: rule, severity: .warning,
        message: """
          The mock of '\(type.name)' becomes '\(name)', which hides Swift's type of that name in tests \
          that import the mocks. Rename it in the configuration, such as "customTypeNames": \
          { "\(type.name)": "\(name)Type" } in 'options.schemaCustomization', or say 'Swift.\(name)' \
          there ('_Concurrency.\(name)' for concurrency).
          """, at: type.span)
    }
  }

  /// The warnings about scalars that get their first files.
  ///
  /// - Parameters:
  ///   - named: The program whose scalars are checked.
  ///   - files: The files that scalars have.
  /// - Returns: One warning for each name, in the order of the scalars.
  static func diagnostics(_ named: NamedProgram, _ files: UserFiles) -> [Diagnostic] {
    // Embedded types are always qualified with their namespace.
    guard !named.layout.isEmbedded else { return [] }
    return named.program.types.scalars.compactMap { scalar in
      let name = named.names.schemaType(scalar.name, .scalar)
      let type = ScalarType(scalar, in: named.program.schema)
      guard foundation.contains(name), type.name != "Foundation.\(name)",
        !["", SwiftNames.SchemaTypeKind.scalar.fileSuffix].contains(where: {
          files.customScalars.contains("\(name)\($0).swift")
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
