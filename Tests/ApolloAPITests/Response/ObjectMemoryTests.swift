import Testing

@testable import ApolloAPI

/// The memory that the head of `ResponseObject.swift` draws.
@Suite struct ObjectMemoryTests {
  // Definitions live as long as the program, as those of generated code do.
  private static let definition = Selections(
    "Query {hero Query {name String height Float isHuman Boolean friends [Query {name String}]}}")

  @Test func anObjectHasTheDrawnMemory() throws {
    let text = #"{"hero":{"name":"Leia","height":null,"isHuman":true,"friends":[{},null]}}"#
    let root = try ResponseDecoder().decodeObject(
      Array(text.utf8), as: Self.definition[0], schema: StarWarsAPI.SchemaMetadata.self,
      variables: nil)
    guard case .object(let hero) = root.contents(ofField: 0) else {
      Issue.record("The response has no hero.")
      return
    }
    let address = UnsafeMutableRawPointer(Unmanaged.passUnretained(hero.storage).toOpaque())
    #expect(UnsafeMutableRawPointer(hero.storage.head) - address == 16)
    #expect((0..<4).map { hero.storage.slot($0) - address } == [32, 48, 64, 80])
    #expect(MemoryLayout<ObjectHead>.size == MemoryLayout<Slot>.size)
    #expect(hero.storage.slot(0).load(as: String??.self) == .some("Leia"))
    #expect(hero.storage.slot(1).load(as: Double??.self) == .some(nil))
    #expect(hero.storage.slot(2).load(as: Bool??.self) == .some(true))
    #expect(hero.storage.slot(3).load(as: [ResponseObject?]??.self)??.count == 2)
    withExtendedLifetime(hero) {}
  }

  @Test func theValuesOfAnObjectHaveTheDrawnSizes() {
    #expect(MemoryLayout<Slot>.size == 16)
    #expect(MemoryLayout<String??>.size == 16)
    #expect(MemoryLayout<Double??>.size == 10)
    #expect(MemoryLayout<Bool??>.size == 1)
    #expect(MemoryLayout<[ResponseObject?]??>.size == 8)
  }
}
