extension Glob {
  /// A pattern in two parts, so that the name of a folder such as `/what?` has no wildcards.
  struct Pattern {
    /// The components of the folder that the pattern starts in, which are names as they are.
    private(set) var folder: [String]
    /// The components below that folder, which can have wildcards.
    private(set) var components: [String] = []

    /// Creates a pattern. A relative one starts in the root folder.
    init(_ text: some StringProtocol, root: String) {
      folder =
        text.hasPrefix("/") ? [] : Path.normalized(root).split(separator: "/").map(String.init)
      append(String(text).split(separator: "/").map(String.init))
    }

    /// Appends components. Those that are `.` and `..` are resolved as text.
    mutating func append(_ added: some Sequence<String>) {
      for component in added where component != "." {
        if component != ".." {
          components.append(component)
        } else if components.popLast() == nil {
          _ = folder.popLast()
        }
      }
    }

    /// Removes the last component below the folder, if there is one.
    mutating func removeLast() { _ = components.popLast() }

    /// The pattern of a file or folder with this name and of all files below it, if the last
    /// component is a name without wildcards.
    var includingFolder: Pattern {
      guard let name = components.last, !Glob.isPattern(name) else { return self }
      var pattern = self
      pattern.append(["**"])  // which also matches no component
      return pattern
    }

    /// Compares the components of an absolute path with the pattern.
    ///
    /// - Parameters:
    ///   - path: The components.
    ///   - skipsFolders: `true` if wildcards do not match the folders that a search skips.
    /// - Returns: `true` if the path matches.
    func matches(_ path: [String], skipsFolders: Bool = false) -> Bool {
      path.starts(with: folder)
        && Glob.matches(path.dropFirst(folder.count), components[...], skipsFolders: skipsFolders)
    }
  }
}
