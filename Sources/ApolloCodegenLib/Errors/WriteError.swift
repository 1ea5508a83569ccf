/// The reason why no file was written.
package enum WriteError: Error, Hashable, Sendable, CustomStringConvertible {
  case disk(DiskError)
  /// A file that the generator did not write is in the place of an output file, as `others` more
  /// are.
  ///
  /// `isOfApolloIOS` is `true` if its header says that Apollo iOS generated it.
  case foreignFile(String, isOfApolloIOS: Bool = false, others: Int = 0)
  /// The file would be outside of its configured folder.
  case outside(path: String, folder: String)
  case locked(String)
  /// Writing failed, and these files could not be restored.
  case notRestored(DiskError, paths: [String])

  package var description: String {
    switch self {
    case .disk(let error): "\(error) Nothing was changed. \(error.advice)"
    case .foreignFile(let path, let isOfApolloIOS, let others):
      "'\(path)' was not written by apollo-cli, so it is not overwritten"
        + (others > 0
          ? ", and so \(others == 1 ? "is 1 more file" : "are \(others) more files"). " : ". ")
        + (isOfApolloIOS
          ? "Apollo iOS generated it: 'apollo-cli migrate' replaces its files, and lists what changes."
          : "Move \(others > 0 ? "them" : "it") away, or change the output path.")
    case .outside(let path, let folder):
      "'\(path)' is outside the output folder '\(folder)', or a symbolic link leads out of it. "
        + "Nothing was written."
    case .locked(let folder):
      "Another generator is writing to '\(folder)'. Wait until it has finished, then run again."
    case .notRestored(let error, let paths):
      "\(error) \(error.advice) These files could not be put back: "
        + "\(paths.map { "'\($0)'" }.joined(separator: ", ")). Generating again completes them."
    }
  }
}
