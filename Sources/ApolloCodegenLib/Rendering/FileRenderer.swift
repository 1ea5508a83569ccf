import ApolloIR
import SwiftSource

/// The contents of a file before they are rendered.
enum FileContent {
  case namespace
  case metadata
  case configuration
  case object(ObjectType)
  case interface(InterfaceType)
  case union(UnionType)
  case `enum`(EnumType)
  case inputObject(InputObjectType)
  case scalar(CustomScalar)
  case identifier
  case fragment(Definition, Definition.ID, isInSchemaModule: Bool)
  case operation(Definition, isInSchemaModule: Bool)
  case mock(ObjectType)
}

/// Renders whole files, one by one.
struct FileRenderer {
  let renderer: Renderer
  private let mocks: MockRenderer?

  init(_ renderer: Renderer) {
    self.renderer = renderer
    mocks = MockRenderer(renderer)
  }

  /// Returns the file with `content`.
  func file(_ content: FileContent) -> SourceFile {
    switch content {
    case .namespace: renderer.namespaceFile()
    case .metadata: renderer.metadataFile()
    case .configuration: renderer.configurationFile()
    case .object(let type): renderer.objectFile(type)
    case .interface(let type): renderer.interfaceFile(type)
    case .union(let type): renderer.unionFile(type)
    case .enum(let type): renderer.enumFile(type)
    case .inputObject(let type): renderer.inputObjectFile(type)
    case .scalar(let type): renderer.scalarFile(type)
    case .identifier: renderer.identifierFile()
    case .fragment(let fragment, let id, let isInSchemaModule):
      renderer.fragmentFile(fragment, id, isInSchemaModule: isInSchemaModule)
    case .operation(let operation, let isInSchemaModule):
      renderer.operationFile(operation, isInSchemaModule: isInSchemaModule)
    case .mock(let type): mock(type)
    }
  }

  private func mock(_ type: ObjectType) -> SourceFile {
    guard let mocks else {
      preconditionFailure("Mocks are planned only if the configuration has them.")
    }
    return mocks.file(type)
  }
}
