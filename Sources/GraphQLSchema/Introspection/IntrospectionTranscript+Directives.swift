import GraphQLSyntax

extension IntrospectionTranscript {
  mutating func transcribe(directive: IndexedJSON.Value) {
    let start = sdl.count
    writeDescription(of: directive)
    write("directive @")
    guard writeName(of: directive, as: "directive") else {
      rollBack(to: start)
      return
    }
    writeArguments(of: directive, called: "directive")
    if allowsDirectivesOnDirectives { writeDeprecation(of: directive) }
    if directive["isRepeatable"]?.kind == .true { write(" repeatable") }
    guard writeLocations(of: directive) else {
      rollBack(to: start)
      return
    }
    write("\n")
  }

  /// Writes the locations that the specification defines. Returns `false` if there are none.
  ///
  /// Servers of the specification's draft list `DIRECTIVE_DEFINITION` for `@deprecated`, whether or
  /// not a directive is deprecated. Operations never need the location, so it is left out without a
  /// warning where the syntax is not enabled.
  private mutating func writeLocations(of directive: IndexedJSON.Value) -> Bool {
    if present("locations", of: directive) == nil,
      let locations = Self.formerLocations(of: directive)
    {
      write(" on " + locations.joined(separator: " | "))
      return true
    }
    guard let locations = list("locations", of: directive, called: "directive") else {
      return false
    }
    var next = " on "
    var isOfDraft = false
    for location in locations {
      guard let name = location.string, let known = Self.locations[name] else {
        report(
          "\"\(location.string ?? "")\" is not a directive location; it is ignored.",
          at: location, isHarmless: true)
        continue
      }
      if known == .directiveDefinition, !allowsDirectivesOnDirectives {
        isOfDraft = true
        continue
      }
      write(next + name)
      next = " | "
    }
    if next == " on ", !isOfDraft {
      report("The directive has no location; it is ignored.", at: directive, isHarmless: true)
    }
    return next == " | "
  }

  /// Returns the locations of a directive of a server from before the first specification of them
  /// (April 2016), or `nil` if it has none.
  private static func formerLocations(of directive: IndexedJSON.Value) -> [String]? {
    let flags: [(IndexedJSON.Value?, [String])] = [
      (directive["onOperation"], ["QUERY", "MUTATION", "SUBSCRIPTION"]),
      (directive["onField"], ["FIELD"]),
      (directive["onFragment"], ["FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"]),
    ]
    let locations = flags.flatMap { flag, names in flag?.kind == .true ? names : [] }
    return locations.isEmpty ? nil : locations
  }

  private static let locations: [String: DirectiveLocation] = {
    let names = NameTable()
    return Dictionary(
      uniqueKeysWithValues: DirectiveLocation.allCases.map { (names[$0.symbol], $0) })
  }()
}
