extension GeneratedCode {
  /// The names of many things of the schema in a fixed order, with their positions.
  ///
  /// Generated code has one text for all of them, because the compiler's time for many literals
  /// grows faster than their number.
  public final class NameList: Sendable {
    let names: [String]
    private let positions: [String: Int]

    /// Creates a list from names that are separated by spaces.
    public init(_ text: String) {
      names = text.split(separator: " ").map(String.init)
      positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func position(of name: String) -> Int? { positions[name] }
  }
}
