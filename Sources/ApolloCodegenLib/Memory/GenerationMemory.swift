import GraphQLSyntax

/// Remembers what a run was made from and what it left on disk, so that the next run knows that there is nothing to do.
///
/// The memory is a file in a cache folder, outside the project. Without it, or when it cannot be read or written, every run does
/// all of its work; no other harm comes of it. It is believed only while every generated file and the folder that it is in have
/// the size, the time and the number that the run saw.
public struct GenerationMemory: Sendable {
  private static let format = "apollo-codegen-memory 2"

  private let file: String
  private let identity: String

  /// Chooses the file of the memory.
  ///
  /// - Parameters:
  ///   - folder: The cache folder; created when it is needed.
  ///   - configuration: The text of the configuration.
  ///   - rootFolder: What the configuration's paths are relative to.
  ///   - tool: Tells one build of the generator from another, such as ``stamp(of:)`` of its executable.
  public init(folder: String, configuration: String, rootFolder: String, tool: String) {
    var key = Fingerprint()
    key.combine(rootFolder)
    key.combine(configuration)
    file = Path.join(folder, "\(key.text).txt")
    key.combine(tool)
    identity = key.text
  }

  /// What changes when a file or the entries of a folder change: its size, its time and its number. `nil` when nothing is there.
  public static func stamp(of path: String) -> String? { Disk.stamp(of: path) }

  /// What is remembered about one kind of run with these inputs.
  func about(_ items: Generator.Items, _ inputs: ProjectFiles) -> Recollection {
    var key = Fingerprint()
    key.combine(identity)
    key.combine(UInt64(items.rawValue))
    for sources in [inputs.schema, inputs.operations] {
      key.combine(UInt64(sources.count))
      for source in sources {
        key.combine(source.name)
        key.combine(source.bytes)
      }
    }
    return Recollection(file: file, heading: [Self.format, key.text])
  }

  /// What a run had to do with.
  struct Counts {
    var files: Int
    var operations: Int
    var fragments: Int
    /// What was to be said about the inputs. Who wants to say it again has to look into them again.
    var warnings: Int
  }

  /// The memory of runs with certain inputs.
  struct Recollection {
    fileprivate var file: String
    fileprivate var heading: [String]

    /// The counts of the last run with the same inputs; `nil` when there was none, or when what it wrote has changed since.
    func unchanged() -> Counts? {
      guard let bytes = try? Disk.read(file) else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard lines.count > 3, lines.prefix(2).elementsEqual(heading, by: ==) else { return nil }
      let counts = lines[2].split(separator: " ").compactMap { Int($0) }
      guard counts.count == 4 else { return nil }
      for line in lines[3...] {
        guard let space = line.firstIndex(of: " ") else { return nil }
        let path = String(line[line.index(after: space)...])
        guard let stamp = Disk.stamp(of: path), stamp == line[..<space] else { return nil }
      }
      return Counts(
        files: counts[0], operations: counts[1], fragments: counts[2], warnings: counts[3])
    }

    /// Remembers a run that has just written, or found unchanged, the files at `paths`.
    func remember(_ paths: [String], _ counts: Counts) {
      let places = Set(paths + paths.map(Path.parent)).sorted()
      var lines =
        heading + ["\(counts.files) \(counts.operations) \(counts.fragments) \(counts.warnings)"]
      for place in places {
        // A name with a line break has no line here; such a run is not remembered.
        guard let stamp = Disk.stamp(of: place), !place.contains("\n") else { return }
        lines.append("\(stamp) \(place)")
      }
      // A memory that cannot be written is one that the next run does without.
      guard (try? Disk.createDirectories(Path.parent(of: file))) != nil else { return }
      try? Disk.replace(file, Array((lines.joined(separator: "\n") + "\n").utf8))
    }
  }
}
