import ApolloAPI
import Testing

/// Lists of lists of models change in place, as flat lists do.
struct NestedListTests {
  private func grid(_ typename: String, rows: Int) throws -> Grid {
    let rows = (0..<rows).map { #"[{"name":"\#($0)"},{"name":"-"}]"# } + ["null"]
    return try Grid(
      jsonBytes: Array(
        #"{"__typename":"\#(typename)","rows":[\#(rows.joined(separator: ","))]}"#.utf8))
  }

  /// The address of the elements of a list, which a copy of the list would change.
  private func address<Element>(_ list: [Element]?) -> UnsafeRawPointer? {
    list?.withUnsafeBytes { $0.baseAddress }
  }

  @Test(arguments: ["Human", "Droid"])
  func anElementChangesWithoutACopyOfTheLists(typename: String) throws {
    var grid = try grid(typename, rows: 100)
    grid.rows?[0]?[0].name = "first"
    let lists = [address(grid.rows)] + (grid.rows ?? []).map { address($0) }
    let first = grid.rows?[0]?[0].__object.slotAddress
    let second = grid.rows?[1]?[0]
    for index in 0..<100 { grid.rows?[index]?[0].name += "!" }
    grid.rows?[100]?[0].name = "none"
    #expect([address(grid.rows)] + (grid.rows ?? []).map { address($0) } == lists)
    #expect(grid.rows?[0]?[0].__object.slotAddress == first)
    #expect(
      grid.rows?.map { $0?.map(\.name) }
        == [["first!", "-"]] + (1..<100).map { ["\($0)!", "-"] } + [nil])
    #expect(second?.name == "1")
  }

  @Test func sharedListsAreCopied() throws {
    var grid = try grid("Human", rows: 2)
    let copy = grid
    let row = grid.rows?[1]
    grid.rows?[0]?.removeLast()
    grid.rows?[1]?[0].name = "Han"
    grid.rows?.append([])
    #expect(copy.rows?.map { $0?.map(\.name) } == [["0", "-"], ["1", "-"], nil])
    #expect(grid.rows?.map { $0?.map(\.name) } == [["0"], ["Han", "-"], nil, []])
    #expect(row?.map(\.name) == ["1", "-"])
  }

  @Test func anErrorKeepsTheChangesBeforeIt() throws {
    struct Failure: Error {}
    func change(_ row: inout [Grid.Cell]) throws {
      row[0].name = "changed"
      row.removeLast()
      throw Failure()
    }
    var grid = try grid("Human", rows: 2)
    #expect(throws: Failure.self) { try change(&grid.rows![0]!) }
    #expect(grid.rows?.map { $0?.map(\.name) } == [["changed"], ["1", "-"], nil])
  }

  /// The cells of a droid have a height, which a cell that is created alone lacks.
  @Test func aCellFromElsewhereGetsTheFieldsOfItsPosition() throws {
    var grid = try grid("Droid", rows: 2)
    let created = Grid.Cell(name: "created")
    #expect(created.__object.layout.position.sources.count == 1)
    grid.rows?[1]?[1] = created
    grid.rows?.append([created])
    let cells = try #require(grid.rows).compactMap { $0 }.flatMap { $0 }
    #expect(cells.map(\.name) == ["0", "-", "1", "created", "created"])
    #expect(cells.allSatisfy { $0.__object.layout.position.sources.count == 2 })
    #expect(grid.asDroid?.rows?[1]?[1].height == nil)
  }
}

/// `{ __typename rows { name } ... on Droid { rows { height } } }`.
private struct Grid: StarWarsAPI.MutableSelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  var __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
  static let __selections = Selections(
    """
    Character {
      __typename String!
      rows [[Character {name String!}!]]
      ...Droid {+__typename rows [[Character {+name height Float}!]]}
    }
    """)
  static let __layout = __selections[0]
  var rows: [[Cell]?]? {
    get { __object[1, Self.__layout] }
    set { __object[1, Self.__layout] = newValue }
    _modify { yield &__object[1, Self.__layout] }
  }
  var asDroid: AsDroid? { _asInlineFragment() }

  struct Cell: StarWarsAPI.MutableSelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = Grid.__selections[1]
    init(name: String) { self.init(__values: ["name": name]) }
    var name: String {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }
  }

  struct AsDroid: StarWarsAPI.InlineFragment {
    typealias Schema = StarWarsAPI.SchemaMetadata
    typealias RootEntityType = Grid
    private let __storage: ResponseObject
    static let __layout = Grid.__selections[2]
    var rows: [[Cell]?]? { __value(0) }

    struct Cell: StarWarsAPI.SelectionSet {
      typealias Schema = StarWarsAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = Grid.__selections[3]
      var height: Double? { __value(0) }
    }
  }
}
