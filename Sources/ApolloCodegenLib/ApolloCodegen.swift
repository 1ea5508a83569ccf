public import struct Foundation.URL
import GraphQLSyntax

/// The generator in one call, for programs and scripts that generate code themselves.
///
/// ```swift
/// let configuration = try ApolloCodegenConfiguration(json: text)
/// try await ApolloCodegen.build(with: configuration, withRootURL: folder)
/// ```
///
/// ``Generator`` does the same and also tells of its progress, and whether there is anything to do.
public enum ApolloCodegen {
  /// What to make.
  public typealias ItemsToGenerate = Generator.Items

  /// Reads, checks, renders, and then writes what changed. Nothing is written when anything is wrong.
  ///
  /// - Parameters:
  ///   - configuration: What to generate.
  ///   - rootURL: The folder that relative paths of the configuration are relative to; the current one without it.
  ///   - itemsToGenerate: The code, the operation manifest, or both.
  ///   - operationIdentifierProvider: Computes the identifiers of operations, which are the SHA-256 of their text without it.
  /// - Returns: What was done, and warnings.
  /// - Throws: ``GenerationError``, whose description is meant to be shown.
  @discardableResult
  public static func build(
    with configuration: ApolloCodegenConfiguration, withRootURL rootURL: URL? = nil,
    itemsToGenerate: ItemsToGenerate = [.code],
    operationIdentifierProvider: OperationIdentifierProvider? = nil
  ) async throws(GenerationError) -> Generator.Report {
    let generator = Generator(
      configuration, rootFolder: rootURL?.path ?? Disk.currentDirectory,
      operationIdentifierProvider: operationIdentifierProvider)
    return try generator.generate(itemsToGenerate)
  }
}

extension GenerationError: CustomStringConvertible {
  /// What is wrong, a line for each problem; those of the inputs begin with their file, line and column.
  public var description: String {
    switch self {
    case .configuration(let error): error.description
    case .invalidInput(let diagnostics, let sources):
      DiagnosticFormat.xcode.render(diagnostics, in: sources)
    case .reading(let message), .writing(let message): message
    }
  }
}
