/// A change of several files that succeeds or fails as a whole, while the process lives.
///
/// 1. ``stage(_:for:)`` writes each new file completely, beside its target, under a hidden name.
/// 2. ``commit()`` gives each file that is replaced a second name, and then moves the new files
///    into place. ``move(_:to:)`` and ``remove(_:)`` rename files, too. Renaming needs no space and
///    leaves no file half written.
/// 3. ``finish()`` removes the second names. If an earlier step fails, ``rollBack()`` reverts all
///    steps instead, the last one first.
///
/// A process that is killed leaves every file whole, old or new. The hidden files that it leaves
/// have names for which ``isRemainder(_:)`` is `true`; the next run removes them.
struct FileTransaction {
  /// The reverse of a step.
  private enum Undo {
    case remove(String)
    case removeDirectory(String)
    /// Moves the file back to its former path.
    case move(String, to: String)
  }

  private static let prefix = ".apollo-codegen-"

  private let files: any FileSystem
  private var undos: [Undo] = []
  private var staged: [(temporary: String, target: String)] = []
  /// The second names of files that were replaced or removed.
  private var backups: [String] = []

  init(_ files: any FileSystem) { self.files = files }

  /// A pattern for the names of files that killed runs leave.
  static let remainderPattern = prefix + "*"

  /// Returns `true` for the names of files that killed runs leave.
  static func isRemainder(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && ["tmp", "old"].contains(parts[1])
      && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  // MARK: - Preparing

  /// Creates a directory and its missing parents.
  mutating func createDirectories(_ path: String) throws(DiskError) {
    let files = files
    try files.createDirectories(path) { undos.append(.removeDirectory($0)) }
  }

  /// Writes the bytes beside `target`, whose directory exists. ``commit()`` moves them into place.
  mutating func stage(_ bytes: [UInt8], for target: String) throws(DiskError) {
    let temporary = name(beside: target, "tmp")
    // Recorded before the step, because a failed call may leave a part of the file.
    undos.append(.remove(temporary))
    try files.create(temporary, bytes)
    staged.append((temporary, target))
  }

  // MARK: - Changing names

  /// Moves all staged files into place.
  mutating func commit() throws(DiskError) {
    var olds: [String?] = []
    for entry in staged { olds.append(try backUp(entry.target)) }
    for (entry, old) in zip(staged, olds) {
      try files.move(entry.temporary, to: entry.target)
      undos.append(old.map { .move($0, to: entry.target) } ?? .remove(entry.target))
    }
    staged = []
  }

  /// Gives the file at `path` a second name and returns it. Returns `nil` if there is no file.
  private mutating func backUp(_ path: String) throws(DiskError) -> String? {
    guard files.kind(of: path) != nil else { return nil }
    let old = name(beside: path, "old")
    undos.append(.remove(old))
    do {
      try files.link(path, as: old)
    } catch {
      // Some file systems have no hard links. A copy serves as well.
      try files.create(old, try files.read(path))
    }
    backups.append(old)
    return old
  }

  mutating func move(_ path: String, to target: String) throws(DiskError) {
    try files.move(path, to: target)
    undos.append(.move(target, to: path))
  }

  mutating func remove(_ path: String) throws(DiskError) {
    let old = name(beside: path, "old")
    try files.move(path, to: old)
    backups.append(old)
    undos.append(.move(old, to: path))
  }

  // MARK: - Ending

  /// Ends the transaction. This cannot fail: the next run removes a second name that remains.
  mutating func finish() {
    for backup in backups { try? files.remove(backup) }
    (undos, backups) = ([], [])
  }

  /// Reverts all steps, the last one first.
  ///
  /// - Returns: The paths that could not be restored, sorted.
  mutating func rollBack() -> [String] {
    var lost: Set<String> = []
    for undo in undos.reversed() {
      switch undo {
      case .remove(let path):
        // A file that was moved or never created does not exist. The next run removes one that
        // remains.
        if files.kind(of: path) != nil, (try? files.remove(path)) == nil,
          !Self.isRemainder(Path.name(of: path))
        {
          lost.insert(path)
        }
      // A directory that remains is empty, or holds files of others.
      case .removeDirectory(let path): try? files.removeDirectory(path)
      case .move(let path, let target):
        if (try? files.move(path, to: target)) == nil { lost.insert(target) }
      }
    }
    (undos, staged, backups) = ([], [], [])
    return lost.sorted()
  }

  /// Returns a hidden name that no other process and no other step uses.
  private func name(beside path: String, _ ending: String) -> String {
    "\(Path.parent(of: path))/\(Self.prefix)\(Disk.processIdentifier)-\(undos.count).\(ending)"
  }
}
