import GraphQLSchema
import GraphQLSyntax

/// The open file that a request is about, with its project.
struct FeatureRequest {
  let workspace: Workspace
  let project: Project
  let path: String
  let buffer: TextBuffer

  /// Returns `nil` if the file is not open.
  init?(_ path: String, in workspace: Workspace) {
    guard let file = workspace.openFiles[path] else { return nil }
    guard let index = workspace.projectIndex(of: path) else { return nil }
    self.init(path, file.buffer, workspace.projects[index], workspace)
  }

  private init(
    _ path: String, _ buffer: TextBuffer, _ project: Project, _ workspace: Workspace
  ) {
    (self.path, self.buffer, self.project, self.workspace) = (path, buffer, project, workspace)
  }

  /// Returns the request about another file in another project, or `nil` if that does not read it.
  func moved(to path: String, in project: Project) -> FeatureRequest? {
    project.source(at: path).map {
      FeatureRequest(path, TextBuffer($0.bytes), project, workspace)
    }
  }

  var encoding: PositionEncoding { workspace.encoding }
  var schema: Schema { project.schema }
  var source: Source { Source(name: project.name(of: path), bytes: buffer.bytes) }

  /// The document of the file. One with operations is not a file of the schema, even if the search
  /// paths of the schema match it.
  var text: ParsedText {
    let hasOperations = project.file(at: path) != nil
    let ofSchema =
      hasOperations ? nil : ParsedText(project.name(of: path), inDocumentOf: schema)
    return ofSchema ?? ParsedText(source, schema)
  }

  /// The document of all operations of the project. A file that is not part of it comes last.
  var operations: ParsedText {
    let isPart = project.file(at: path) != nil || project.isSchema(path)
    return ParsedText(project.operationSources + (isPart ? [] : [source]), schema)
  }

  /// Returns the definition of the variable of an operation that occurs at `span` of `text`, with
  /// its document. The operation can be in another file than the fragment that uses the variable.
  func definition(
    ofVariable name: String, at span: SourceSpan, in text: ParsedText
  ) -> (variable: VariableDefinition, document: Document)? {
    let whole = text.isSchema ? text : operations
    guard let span = whole.span(of: FilePart(span, in: text.document.sources)),
      let variable = VariableScope(name, usedAt: span, in: whole).definition
    else { return nil }
    return (variable, whole.document)
  }

  func offset(of position: TextPosition) -> Int { buffer.offset(of: position, encoding) }

  func range(_ bytes: Range<Int>) -> TextRange { buffer.range(of: bytes, encoding) }
}
