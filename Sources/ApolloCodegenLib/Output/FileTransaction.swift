/// Changes of files that happen all or not at all, as far as the process lives to see to it.
///
/// First everything that needs room is put on the disk beside its place, and what is to be replaced gets a second name. Then files
/// only change their names, which needs no room and leaves no file half written. When a step fails, those before it are
/// taken back, the last one first. A process that is killed leaves every file whole, old or new; what else it leaves is
/// called ``isRemainder(_:)``, and the next run removes it.
struct FileTransaction {
  /// What takes a step back.
  private enum Undo {
    case remove(String)
    case removeDirectory(String)
    /// Puts the file at `name` to where it was.
    case move(String, to: String)
  }

  private static let prefix = ".apollo-codegen-"

  private let files: any FileSystem
  private var undos: [Undo] = []
  private var staged: [(temporary: String, target: String)] = []
  /// The second names of what was replaced or removed.
  private var backups: [String] = []

  init(_ files: any FileSystem) { self.files = files }

  /// A pattern of the names of what killed runs leave.
  static let remainders = prefix + "*"

  /// Whether a file with this name was left by a run that was killed.
  static func isRemainder(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && ["tmp", "old"].contains(parts[1])
      && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  // MARK: - Preparing

  /// Creates a directory and those that it is in, where they are missing.
  mutating func createDirectories(_ path: String) throws(DiskError) {
    let files = files
    try files.createDirectories(path) { undos.append(.removeDirectory($0)) }
  }

  /// Writes the bytes beside `target`, whose directory exists. They are put there by ``commit()``.
  mutating func stage(_ bytes: [UInt8], for target: String) throws(DiskError) {
    let temporary = name(beside: target, "tmp")
    // Before the step, because what fails may leave a part of the file.
    undos.append(.remove(temporary))
    try files.create(temporary, bytes)
    staged.append((temporary, target))
  }

  // MARK: - Changing names

  /// Puts everything that was staged into its place.
  mutating func commit() throws(DiskError) {
    var olds: [String?] = []
    for entry in staged { olds.append(try keep(entry.target)) }
    for (entry, old) in zip(staged, olds) {
      try files.move(entry.temporary, to: entry.target)
      undos.append(old.map { .move($0, to: entry.target) } ?? .remove(entry.target))
    }
    staged = []
  }

  /// Gives what is at `path` a second name, and returns that; `nil` when nothing is there.
  private mutating func keep(_ path: String) throws(DiskError) -> String? {
    guard files.kind(of: path) != nil else { return nil }
    let old = name(beside: path, "old")
    undos.append(.remove(old))
    do {
      try files.link(path, as: old)
    } catch {
      // Some file systems know no second names; a copy does as well.
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

  /// Forgets how to take anything back. Nothing can fail any more: a second name that stays is removed by the next run.
  mutating func finish() {
    for backup in backups { try? files.remove(backup) }
    (undos, backups) = ([], [])
  }

  /// Takes every step back, the last one first.
  /// - Returns: What could not be put back, sorted.
  mutating func rollBack() -> [String] {
    var lost: Set<String> = []
    for undo in undos.reversed() {
      switch undo {
      case .remove(let path):
        // One that was moved, or never made, is not there; one that stays is removed by the next run.
        if files.kind(of: path) != nil, (try? files.remove(path)) == nil,
          !Self.isRemainder(Path.name(of: path))
        {
          lost.insert(path)
        }
      // A directory that stays is empty, or holds what somebody else has put there.
      case .removeDirectory(let path): try? files.removeDirectory(path)
      case .move(let path, let target):
        if (try? files.move(path, to: target)) == nil { lost.insert(target) }
      }
    }
    (undos, staged, backups) = ([], [], [])
    return lost.sorted()
  }

  /// A hidden name that no other process and no other step uses.
  private func name(beside path: String, _ ending: String) -> String {
    "\(Path.parent(of: path))/\(Self.prefix)\(Disk.processIdentifier)-\(undos.count).\(ending)"
  }
}
