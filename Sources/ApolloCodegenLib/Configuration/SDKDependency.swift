extension ApolloCodegenConfiguration.SDKDependency {
  /// The location of the runtime's package.
  enum Location: Hashable {
    /// A folder, relative to the generated package.
    case folder(String)
    /// The address of a repository.
    case repository(String)
  }

  /// The default location: a clone of this repository beside the generated package.
  package static let defaultFolder = "../apollo-swift"

  /// `true` if the configuration does not locate the runtime.
  var isAssumed: Bool {
    if case .local = version { return false }
    return url == nil || isOfApolloIOS
  }

  /// `true` if the address is that of Apollo iOS, whose runtime does not fit the generated code.
  /// Configurations written for Apollo iOS name it.
  var isOfApolloIOS: Bool {
    guard var address = url?.lowercased() else { return false }
    for ending in ["/", ".git"] where address.hasSuffix(ending) {
      address.removeLast(ending.count)
    }
    return address.hasSuffix("github.com/apollographql/apollo-ios")
      || address.hasSuffix("github.com:apollographql/apollo-ios")
  }

  var location: Location {
    if case .local(let path) = version { return .folder(path) }
    guard let url, !isOfApolloIOS else { return .folder(Self.defaultFolder) }
    return .repository(url)
  }
}
