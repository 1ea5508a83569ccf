/// A Swift file: a header, imports, declarations.
package struct SourceFile: Hashable, Sendable {
  /// Comment lines at the top, which are printed after `// `.
  package var header: [String]
  /// Complete import declarations, such as `public import ApolloAPI`, printed in this order.
  package var imports: [String]
  package var declarations: [Declaration]

  package init(header: [String] = [], imports: [String] = [], declarations: [Declaration]) {
    self.header = header
    self.imports = imports
    self.declarations = declarations
  }

  /// Returns the file's text: two spaces per level, 100 columns where lines can be broken, and one
  /// line break at the end.
  ///
  /// The same tree gives the same bytes on every platform.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func text() -> String { String(decoding: utf8(), as: UTF8.self) }

  /// Returns the bytes of ``text()``.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func utf8() -> [UInt8] {
    var printer = DeclarationPrinter()
    printer.print(self)
    return printer.bytes
  }
}
