public import struct Foundation.URL

/// The generator in one call, for programs and scripts that generate code themselves.
///
/// ```swift
/// let configuration = try ApolloCodegenConfiguration(json: text)
/// try await ApolloCodegen.build(with: configuration, withRootURL: folder)
/// ```
///
/// ``Generator`` does the same. It also reports its progress, and skips runs that change nothing.
public enum ApolloCodegen {
  /// The kinds of files that a run generates.
  public typealias ItemsToGenerate = Generator.Items

  /// Reads, checks and renders a project, then writes the files that changed.
  ///
  /// Nothing is written when anything is wrong.
  ///
  /// - Parameters:
  ///   - configuration: The inputs, outputs and options.
  ///   - rootURL: The folder that relative paths of the configuration are relative to. By default
  ///     the current folder.
  ///   - itemsToGenerate: The code, the operation manifest, or both.
  ///   - operationIdentifierProvider: Computes the identifiers of operations. By default they are
  ///     the SHA-256 of the operations' texts.
  /// - Returns: A report of the files, operations and warnings.
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
