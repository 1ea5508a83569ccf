/// Writes output files, with as few changes as possible.
///
/// 1. Lock the output folders against other generators.
/// 2. Remove the hidden files that killed runs left.
/// 3. Decide on all changes. A file is written only if its bytes differ. Only files that the
///    generator wrote are replaced or removed, and no symbolic link is followed out of an output
///    folder.
/// 4. Perform the changes in one ``FileTransaction``: all of them or none.
/// 5. Remove folders that became empty.
package struct OutputWriter {
  /// The folders that may be written to, absolute and normalized. Missing ones are created.
  private let folders: [String]
  private let fileSystem: any FileSystem
  /// `true` if files that Apollo iOS generated are replaced and removed like those of this
  /// generator.
  private let takesOver: Bool

  package init(folders: [String], fileSystem: any FileSystem, takesOver: Bool = false) {
    self.folders = folders
    self.fileSystem = fileSystem
    self.takesOver = takesOver
  }

  /// Writes `files`, and removes files that are no longer needed.
  ///
  /// - Parameters:
  ///   - files: The files that must exist afterwards.
  ///   - candidates: Finds files that earlier runs may have left. Those that the generator wrote
  ///     and that are not among `files` are removed.
  ///   - completion: Called when everything is written, before another generator can write.
  /// - Returns: The changes.
  /// - Throws: ``WriteError``. All files are unchanged then, except after
  ///   ``WriteError/notRestored(_:paths:)``.
  package func write(
    _ files: [OutputFile], pruning candidates: () throws(DiskError) -> [String] = { [] },
    completion: () -> Void = {}
  ) throws(WriteError) -> WriteSummary {
    do {
      let locks = try lockFolders()
      return try withExtendedLifetime(locks) {
        let summary = try writeLocked(files, pruning: try candidates())
        completion()
        return summary
      }
    } catch let error as DiskError {
      throw .disk(error)
    } catch let error as WriteError {
      throw error
    } catch {
      preconditionFailure("Only disk and write errors are thrown here, not \(error).")
    }
  }

  /// Returns the changes that writing `files` would make, without making them.
  ///
  /// - Parameters:
  ///   - files: The files that must exist afterwards.
  ///   - candidates: Finds files that earlier runs may have left.
  /// - Returns: The changes.
  /// - Throws: ``WriteError`` if a file could not be replaced.
  package func plan(
    _ files: [OutputFile], pruning candidates: () throws(DiskError) -> [String] = { [] }
  ) throws(WriteError) -> WriteSummary {
    let found: [String]
    do { found = try candidates() } catch { throw .disk(error) }
    return WriteSummary(try changes(files, found))
  }

  /// Locks every output folder. All generators use the same order, so that two of them cannot each
  /// hold a folder that the other needs.
  private func lockFolders() throws -> [any FolderLock] {
    for folder in folders { try fileSystem.createDirectories(folder) }
    // One folder under two names is locked only once.
    let resolved = Set(folders.map { fileSystem.resolved($0) ?? $0 })
    return try resolved.sorted().map { folder in
      guard let lock = try fileSystem.lock(folder) else { throw WriteError.locked(folder) }
      return lock
    }
  }

  // MARK: - Deciding

  /// The changes that a run is going to make.
  fileprivate struct Changes {
    var written: [OutputFile] = []
    var moved: [(from: String, to: String)] = []
    var removed: [String] = []
    var unchangedCount = 0
  }

  private func writeLocked(
    _ files: [OutputFile], pruning candidates: [String]
  ) throws -> WriteSummary {
    let beside = Set(files.map { Path.parent(of: $0.path) })
    for path in Set(candidates).union(try beside.flatMap(remainders)).sorted()
    where FileTransaction.isRemainder(Path.name(of: path)) && isContained(path) {
      try fileSystem.remove(path)
    }
    let changes = try changes(files, candidates)
    var transaction = FileTransaction(fileSystem)
    do {
      try perform(changes, in: &transaction)
    } catch {
      let lost = transaction.rollBack()
      guard let cause = error as? DiskError, !lost.isEmpty else { throw error }
      throw WriteError.notRestored(cause, paths: lost)
    }
    transaction.finish()
    let summary = WriteSummary(changes)
    removeEmptyFolders(of: summary.removed)
    return summary
  }

  private func changes(_ files: [OutputFile], _ candidates: [String]) throws(WriteError) -> Changes
  {
    var changes = Changes()
    let kept = Set(files.map(\.path))
    changes.removed = candidates.filter {
      !kept.contains($0) && isWrittenByGenerator($0) && isContained($0)
    }
    // Where letter case is ignored, such a file seems to have its new name already.
    let renamed = Set(changes.removed.map { $0.lowercased() })
    var foreign: [String] = []
    for file in files {
      if let formerPath = formerPath(of: file, kept) {
        changes.moved.append((formerPath, file.path))
      } else if !needsWriting(file),
        file.ownership == .user || !renamed.contains(file.path.lowercased())
      {
        changes.unchangedCount += 1
      } else if isForeign(file) {
        foreign.append(file.path)
      } else {
        changes.written.append(file)
      }
    }
    if let path = foreign.min() {
      throw .foreignFile(path, isOfApolloIOS: isOfApolloIOS(path), others: foreign.count - 1)
    }
    return changes
  }

  /// Returns the present path of a file of the user that other options put elsewhere.
  private func formerPath(of file: OutputFile, _ kept: Set<String>) -> String? {
    guard file.ownership == .user, fileSystem.kind(of: file.path) == nil else { return nil }
    return file.formerPaths.first { path in
      fileSystem.kind(of: path) == .file && !kept.contains(path) && isContained(path)
    }
  }

  private func needsWriting(_ file: OutputFile) -> Bool {
    if file.ownership == .user, fileSystem.kind(of: file.path) != nil { return false }
    return !fileSystem.contents(of: file.path, equal: file.contents)
  }

  private func isForeign(_ file: OutputFile) -> Bool {
    fileSystem.kind(of: file.path) != nil && !isWrittenByGenerator(file.path, file.origin)
  }

  // MARK: - Changing

  private func perform(_ changes: Changes, in transaction: inout FileTransaction) throws {
    var prepared: Set<String> = []
    for path in changes.written.map(\.path) + changes.moved.map(\.to) {
      let directory = Path.parent(of: path)
      if prepared.insert(directory).inserted { try prepare(directory, in: &transaction) }
    }
    for file in changes.written { try transaction.stage(file.contents, for: file.path) }
    // Where letter case is ignored, a former spelling of a new name leads to the new file after the
    // commit.
    let names = Set(changes.written.map { $0.path.lowercased() })
    for path in changes.removed where names.contains(path.lowercased()) {
      try transaction.remove(path)
    }
    try transaction.commit()
    for (path, target) in changes.moved { try transaction.move(path, to: target) }
    for path in changes.removed where !names.contains(path.lowercased()) {
      try transaction.remove(path)
    }
  }

  /// Creates a directory, and verifies that no symbolic link leads out of its output folder.
  private func prepare(_ directory: String, in transaction: inout FileTransaction) throws {
    guard let folder = folders.first(where: { Path.isInside(directory, $0) }) else {
      throw WriteError.outside(path: directory, folder: folders.joined(separator: "', '"))
    }
    // The deepest folder that exists must be inside before anything is created below it.
    var existing = directory
    while fileSystem.kind(of: existing) == nil { existing = Path.parent(of: existing) }
    guard let root = fileSystem.resolved(folder), let real = fileSystem.resolved(existing),
      Path.isInside(real, root)
    else { throw WriteError.outside(path: directory, folder: folder) }
    try transaction.createDirectories(directory)
  }

  /// Returns the files that killed runs left in a directory.
  private func remainders(in directory: String) throws(DiskError) -> [String] {
    guard fileSystem.kind(of: directory, followingLinks: true) == .directory else { return [] }
    return try fileSystem.entries(of: directory)
      .filter { $0.kind == .file && FileTransaction.isRemainder($0.name) }
      .map { "\(directory)/\($0.name)" }
  }

  private func isContained(_ path: String) -> Bool {
    guard let folder = folders.first(where: { Path.isInside(path, $0) }),
      let root = fileSystem.resolved(folder), let real = fileSystem.resolved(Path.parent(of: path))
    else { return false }
    return Path.isInside(real, root)
  }

  /// Removes the folders of `paths` that are empty.
  private func removeEmptyFolders(of paths: [String]) {
    for directory in Set(paths.map(Path.parent)).sorted().reversed()
    where !folders.contains(directory) {
      try? fileSystem.removeDirectory(directory)
    }
  }

  // MARK: - Whose a file is

  /// Returns `true` if the file is a regular file that the generator wrote.
  private func isWrittenByGenerator(_ path: String, _ origin: OutputFile.Origin = .marker) -> Bool {
    guard fileSystem.kind(of: path) == .file, let bytes = try? fileSystem.read(path) else {
      // A file that cannot be read may belong to the user, and is left alone.
      return false
    }
    if origin == .operationManifest { return OperationManifestText.isManifest(bytes) }
    if takesOver, ApolloIOSFile.isGenerated(bytes) { return true }
    let marker = Array(GeneratedFile.marker.utf8)
    if bytes.starts(with: marker) { return true }
    guard let lineEnd = bytes.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return bytes[(lineEnd + 1)...].starts(with: marker)
  }

  /// Returns `true` if the file is a regular file that Apollo iOS generated.
  private func isOfApolloIOS(_ path: String) -> Bool {
    // The file only affects a message; one that cannot be read is treated as the user's.
    guard fileSystem.kind(of: path) == .file, let bytes = try? fileSystem.read(path) else {
      return false
    }
    return ApolloIOSFile.isGenerated(bytes)
  }
}

extension WriteSummary {
  fileprivate init(_ changes: OutputWriter.Changes) {
    self.init(unchangedCount: changes.unchangedCount)
    written = (changes.written.map(\.path) + changes.moved.map(\.to)).sorted()
    removed = (changes.removed + changes.moved.map(\.from)).sorted()
  }
}
