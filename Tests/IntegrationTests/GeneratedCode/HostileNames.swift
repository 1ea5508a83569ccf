/// Names that mean something to Swift, to the runtime or to generated code; and names that become
/// the same in Swift.
enum HostileNames {
  /// Everything but `true`, `false` and `null`, which cannot name a value of an enum.
  static let all: [String] = unique(keywords + library + runtime + members + lookAlikes)

  /// The names that can be those of types, besides the types that every schema here has.
  static let types = all.filter { !["String", "Int", "Float", "ID", "Query"].contains($0) }

  static let keywords = words(
    """
    associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private
    precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do
    else fallthrough for guard if in repeat return throw switch where while Any as await is nil self Self super throws try _
    actor any async borrowing consuming convenience didSet dynamic each final get indirect infix lazy macro mutating none
    nonisolated nonmutating optional override package postfix prefix Protocol required right sending set some Type unowned weak
    """)

  static let library = words(
    """
    Array Bool Codable Data Date Decimal Dictionary Double Error Float Foundation Hashable Hasher ID Identifiable Int Int32
    KeyPath Mirror Never Optional RawRepresentable Result Sendable Set String Swift URL UUID Void
    """)

  static let runtime = words(
    """
    Apollo ApolloAPI CacheKeyInfo CustomScalarType DataDict DocumentType EnumLiteral EnumType Field Fragment FragmentContainer
    Fragments GraphQLEnum GraphQLMutation GraphQLNullable GraphQLQuery Indirect InlineFragment InputFields InputObject Interface
    Interfaces JSONValue MutableInlineFragment MutableSelectionSet Object ObjectData Objects OneOfInputObject OperationDocument
    ParentType ResponseObject RootEntityType RootSelectionSet Schema SchemaConfiguration SchemaMetadata SchemaTypes Selection
    SelectionLayout SelectionSet Selections Union Unions Value Variables
    """)

  static let members = words(
    """
    allCases asRootEntityType customMirror debugDescription description fragmentDefinition hash hashValue id jsonObject jsonValue
    operationDocument operationName rawValue unknown value
    """)

  /// Names that only the author of an operation chooses.
  static let aliases =
    all
    + words(
      "__data __fulfilledFragments __layout __object __parentType __selections __variables _object __ ___ __1"
    )

  /// Alike when letter case, underscores or plurals are.
  static let lookAlikes = words(
    "A a _a a_ _A A_ FOO_BAR fooBar foo_bar FooBar x1 X1 a__b a_b aB AB node nodes Node Nodes")

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
