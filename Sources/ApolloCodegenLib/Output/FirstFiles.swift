/// The files that a generated module has before its first generation.
///
/// SwiftPM leaves a target without sources out of its build plan, and it does not plan again when
/// sources appear in the target's folder. A program that imports the module then fails to build
/// until another file of the package is added or renamed. One source file prevents that, so `init`
/// writes one, which the first generation replaces.
package struct FirstFiles {
  /// The ways in which the module is built.
  package enum Kind: Sendable {
    /// As a part of a target that has sources of its own.
    case embedded
    /// As a target of the project's package.
    case target
    /// As a package of its own.
    case package
  }

  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let fileSystem: any FileSystem

  /// Creates the first files of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the module.
  ///   - root: The folder that relative paths of the configuration are relative to.
  ///   - fileSystem: The files of the project.
  package init(
    _ configuration: ApolloCodegenConfiguration, root: String, _ fileSystem: any FileSystem
  ) {
    self.configuration = configuration
    self.root = root
    self.fileSystem = fileSystem
  }

  /// Writes the files, unless the module has sources already.
  ///
  /// A target that embeds the generated code has sources of its own, so it needs none.
  ///
  /// - Returns: The paths of the files that were written.
  /// - Throws: ``WriteError`` when nothing could be written.
  package func write() throws(WriteError) -> [String] {
    guard needsFiles else { return [] }
    var files = [
      OutputFile(path: "\(folders.schema)/Schema/SchemaMetadata.graphql.swift", text: text)
    ]
    if let manifest = PackageManifest(configuration) {
      files.append(OutputFile(path: "\(folder)/Package.swift", text: manifest.text))
    }
    let summary = try OutputWriter(folders: [folder], fileSystem: fileSystem).write(files)
    do throws(DiskError) {
      // A plan that was made while the folder was empty is out of date, but only a change of the
      // manifest makes SwiftPM look again.
      if let manifest = manifestOfProject { try fileSystem.touch(manifest) }
    } catch {
      throw .disk(error)
    }
    return summary.written
  }

  /// The manifest of the package that the module is a target of, when there is one.
  package var manifestOfProject: String? {
    var folder = Path.parent(of: folder)
    while true {
      let manifest = Path.join(folder, "Package.swift")
      if fileSystem.kind(of: manifest, followingLinks: true) == .file { return manifest }
      let parent = Path.parent(of: folder)
      if parent == folder || folder == root { return nil }
      folder = parent
    }
  }

  /// The name of the module.
  package var name: String { ModuleLayout(configuration).namespace }

  /// The folder of the module.
  package var folder: String { folders.module }

  /// The way in which the module is built.
  package var kind: Kind {
    switch configuration.output.schemaTypes.moduleType {
    case .embeddedInTarget: .embedded
    case .swiftPackage: .package
    case .other: .target
    }
  }

  private var folders: OutputFolders { OutputFolders(configuration, root: root) }

  private var needsFiles: Bool {
    if kind == .embedded { return false }
    guard fileSystem.kind(of: folder, followingLinks: true) == .directory else { return true }
    // A folder that cannot be read is reported when it is written to.
    let found = try? Glob(trusting: ["**/*.swift"], root: folder).files(in: fileSystem)
    return found?.isEmpty ?? true
  }

  private var text: String {
    """
    \(GeneratedFile.marker). Do not edit.

    // The first generation replaces this file. Until then it keeps the module in SwiftPM's build
    // plan, which leaves out targets without sources.
    #warning("Nothing has been generated yet: run 'apollo-cli generate'.")

    """
  }
}
