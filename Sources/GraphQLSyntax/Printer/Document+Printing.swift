extension Document {
  /// All definitions, exactly as the reference printer prints them. Comments are not kept.
  ///
  /// - Complexity: O(*n*) in the length of the result.
  public func printed(_ style: PrinterStyle = .version16) -> String {
    printed(definitions, style)
  }

  /// Some definitions, with an empty line between them.
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

  /// One definition.
  public func printed(_ definition: Definition, _ style: PrinterStyle = .version16) -> String {
    printed(CollectionOfOne(definition), style)
  }

  /// A value, as it is written in a document.
  public func printed(_ value: Value, _ style: PrinterStyle = .version16) -> String {
    var printer = Printer(self, style)
    printer.print(value)
    return printer.text
  }

  /// A selection set, from brace to brace.
  public func printed(
    _ selectionSet: SelectionSet, _ style: PrinterStyle = .version16
  ) -> String {
    var printer = Printer(self, style)
    printer.print(selectionSet)
    return printer.text
  }
}
