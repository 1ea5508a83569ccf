extension Document {
  /// Prints all definitions, exactly as the reference implementation does. Comments are not kept.
  ///
  /// ```swift
  /// let (document, _) = Document.parsing("query Hero{hero{name}}")
  /// print(document.printed())
  /// // query Hero {
  /// //   hero {
  /// //     name
  /// //   }
  /// // }
  /// ```
  /// - Complexity: O(*n*) in the length of the result.
  public func printed(_ style: PrinterStyle = .version16) -> String {
    printed(definitions, style)
  }

  /// Prints `definitions`, separated by empty lines.
  public func printed(
    _ definitions: some Sequence<Definition>, _ style: PrinterStyle = .version16
  ) -> String {
    var printer = Printer(self, style)
    for (index, definition) in definitions.enumerated() {
      if index > 0 {
        printer.breakLine()
        printer.breakLine()
      }
      printer.print(definition)
    }
    return printer.text
  }

  /// Prints one definition.
  public func printed(_ definition: Definition, _ style: PrinterStyle = .version16) -> String {
    printed(CollectionOfOne(definition), style)
  }

  /// Prints a value in GraphQL notation.
  public func printed(_ value: Value, _ style: PrinterStyle = .version16) -> String {
    var printer = Printer(self, style)
    printer.print(value)
    return printer.text
  }

  /// Prints a selection set, from brace to brace.
  public func printed(
    _ selectionSet: SelectionSet, _ style: PrinterStyle = .version16
  ) -> String {
    var printer = Printer(self, style)
    printer.print(selectionSet)
    return printer.text
  }
}
