import GraphQLSchema
package import GraphQLValidation
import SwiftSource

/// The code of a project that gives objects their cache keys.
package enum OwnCacheKeys {
  /// Returns the path of the project's `SchemaConfiguration.swift` if it has other code than that
  /// which the generator writes, since it can give objects other keys.
  ///
  /// - Parameters:
  ///   - document: The operations.
  ///   - configuration: The configuration of the project.
  ///   - root: The folder that its relative paths are relative to.
  ///   - fileSystem: Has the `SchemaConfiguration` of the project.
  /// - Returns: The path, or `nil` if the keys are those of the generator.
  package static func path(
    for document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration, root: String,
    _ fileSystem: any FileSystem
  ) -> String? {
    let files = UserFiles.read(configuration, root: root, fileSystem)
    let first = FileFrame(configuration).configurationFile(of: document.schema).text()
    switch files.configuration {
    case .absent: return nil
    case .unreadable: return files.configurationPath
    case .text(let text):
      return code(of: text) == code(of: first) ? nil : files.configurationPath
    }
  }

  /// The lines without comments, which give no keys.
  private static func code(of text: String) -> [Substring] {
    text.split(whereSeparator: \.isNewline)
      .map { line in line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line }
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains { $0 != " " } }
  }
}
