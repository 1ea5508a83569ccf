/// A valid document whose style is checked, with the parameters of the rules.
struct StyledDocument {
  let valid: ValidatedDocument
  /// The number of fields inside of each other that operations may have.
  let maximumDepth: Int
}
