import GraphQLSyntax

/// A record of each run's inputs and outputs, by which the next run knows that nothing has changed.
///
/// The record is a file in a cache folder, outside of the project. Without it, or when it cannot be
/// read or written, every run does all of its work. A record is valid only while every generated
/// file, and the folder around it, has the size, the times and the number that the run saw, and
/// while the output folders have no other files whose names are those of generated ones.
///
/// ```swift
/// let cache = GenerationCache(
///   folder: "/home/me/.cache/apollo-codegen", configuration: text, rootFolder: "/project",
///   tool: generatorVersion)
/// let report = try Generator(configuration, rootFolder: "/project", cache: cache).generate()
/// ```
public struct GenerationCache: Sendable {
  private static let format = "apollo-codegen-memory 4"

  private let file: String
  private let identity: String

  /// Creates the cache of one project.
  ///
  /// - Parameters:
  ///   - folder: The cache folder, which is created when it is needed.
  ///   - configuration: The text of the configuration.
  ///   - rootFolder: The folder that the configuration's paths are relative to.
  ///   - tool: A text that differs between builds of the generator, such as ``stamp(of:)`` of its
  ///     executable.
  public init(folder: String, configuration: String, rootFolder: String, tool: String) {
    var key = Fingerprint()
    key.combine(rootFolder)
    key.combine(configuration)
    file = Path.join(folder, "\(key.text).txt")
    key.combine(tool)
    identity = key.text
  }

  /// Returns a text that changes with the contents of a file or the entries of a folder: its size,
  /// times and number. Returns `nil` if there is none.
  public static func stamp(of path: String) -> String? { Disk().stamp(of: path) }

  /// Returns the entry for runs of one kind with these inputs, or `nil` if their output is
  /// combined.
  func entry(
    for request: GenerationRequest, _ inputs: ProjectFiles, in fileSystem: any FileSystem
  ) -> Entry? {
    guard request.combined == nil else { return nil }
    var key = Fingerprint()
    key.combine(identity)
    key.combine(UInt64(request.items.rawValue))
    for sources in [inputs.schema, inputs.operations] {
      key.combine(UInt64(sources.count))
      for source in sources {
        key.combine(source.name)
        key.combine(source.bytes)
      }
    }
    for path in inputs.unread.paths { key.combine(path) }
    return Entry(
      file: file, heading: [Self.format, key.text], inputs: inputs, leftovers: request.leftovers,
      fileSystem: fileSystem)
  }

  /// The facts of a run that its report repeats.
  struct Run {
    var fileCount: Int
    var operationCount: Int
    var fragmentCount: Int
    var warnings: RecordedDiagnostics
  }

  /// The record of runs with certain inputs.
  struct Entry {
    fileprivate let file: String
    fileprivate let heading: [String]
    fileprivate let inputs: ProjectFiles
    fileprivate let leftovers: Leftovers?
    fileprivate let fileSystem: any FileSystem

    /// Returns the last run with the same inputs, or `nil` if there was none, or if its output has
    /// changed since.
    func lastRun() -> Run? {
      // Without a readable record, the run does all of its work.
      guard let bytes = try? fileSystem.read(file) else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard lines.count > 3, lines.prefix(2).elementsEqual(heading, by: ==) else { return nil }
      let counts = lines[2].split(separator: " ").compactMap { Int($0) }
      guard counts.count == 4, lines.count > 4 + counts[3] else { return nil }
      var paths: Set<String> = []
      let first = 3 + counts[3]
      for line in lines[(first + 1)...] {
        guard let space = line.firstIndex(of: " ") else { return nil }
        let path = String(line[line.index(after: space)...])
        guard let stamp = fileSystem.stamp(of: path), stamp == line[..<space] else { return nil }
        paths.insert(path)
      }
      // Such as a file of an operation that is gone, which a merge has brought back.
      guard let others = otherFiles(besides: paths), others == lines[first],
        let warnings = RecordedDiagnostics(lines[3..<first], inputs)
      else {
        return nil
      }
      return Run(
        fileCount: counts[0], operationCount: counts[1], fragmentCount: counts[2],
        warnings: warnings)
    }

    /// Records a run that has just written `files`, or found them unchanged.
    ///
    /// Warnings about files that exist only now are not a part of the next run.
    func record(_ files: [OutputFile], _ report: Generator.Report) {
      let lasting = report.diagnostics.filter { $0.rule != ShadowedNames.rule }
      guard let warnings = RecordedDiagnostics.lines(of: lasting, in: report.sources, inputs)
      else { return }
      let paths = files.map(\.path)
      guard let others = otherFiles(besides: Set(paths)) else { return }
      let counts = [
        files.count, report.operationCount, report.fragmentCount, warnings.count,
      ]
      var lines = heading + [counts.map(String.init).joined(separator: " ")] + warnings + [others]
      for path in Set(paths + paths.map(Path.parent)).sorted() {
        // The format has no place for a name with a line break; such a run is not recorded.
        guard let stamp = fileSystem.stamp(of: path), !path.contains("\n") else { return }
        lines.append("\(stamp) \(path)")
      }
      // Without a record, the next run does all of its work.
      try? fileSystem.replace(file, Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Returns a fingerprint of the other files in the output folders that are named like generated
    /// ones. They are the user's, and a run leaves them alone. Returns `nil` if the folders cannot
    /// be read.
    private func otherFiles(besides paths: Set<String>) -> String? {
      var fingerprint = Fingerprint()
      guard let leftovers else { return fingerprint.text }
      // A run that does all of its work reports why the folders cannot be read.
      guard let found = try? leftovers.paths(in: fileSystem) else { return nil }
      for path in found where !paths.contains(path) {
        fingerprint.combine(path)
        fingerprint.combine(fileSystem.stamp(of: path) ?? "")
      }
      return fingerprint.text
    }
  }
}
