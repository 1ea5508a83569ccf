/// Names that a schema's namespace or module cannot have, because they are types or modules that
/// its code sees.
///
/// In `Result.SelectionSet`, Swift looks for the type `Result` before the module of that name.
enum TakenNames {
  /// Types that are in sight of all generated code: those of the runtime and of its test support,
  /// and `Data`, which every operation has. `VocabularyTests` keeps the list complete.
  static let runtime = words(
    """
    Data Foundation Swift AnyMock CacheKeyInfo CustomScalarType Deferred EnumType FieldPolicy
    Fragment GeneratedCode GraphQLEnum GraphQLError GraphQLID GraphQLMutation GraphQLNullable
    GraphQLOperation GraphQLOperationType GraphQLQuery GraphQLResponse GraphQLResult
    GraphQLSubscription HTTPDetails ID IncrementalDeferredResponseFormat InlineFragment
    InputObject InputValue Interface JSONObject JSONValue LocalCacheMutation MaxAge MaxAges Mock
    MockField MockFilling MockNetworkTransport MockObject MockResponse MutableRootSelectionSet
    MutableSelectionSet Object ObjectData OneOfInputObject OperationDefinition OperationDocument
    OperationResponseFormat PathEntry ResponseDecoder ResponseError ResponseFreshness
    ResponseLimits ResponsePath ResultSource RootSelectionSet ScalarError SchemaConfiguration
    SchemaMetadata SelectionSet SingleResponseFormat TestClock Union UploadableOperation
    Variables
    """)

  /// Types of Swift's library, and modules that the code imports or that import each other.
  static let library = words(
    """
    Apollo ApolloAPI ApolloCache ApolloTestSupport CoreFoundation Darwin Dispatch Foundation
    FoundationEssentials FoundationNetworking Glibc Musl Synchronization Testing XCTest
    Actor AdditiveArithmetic AnyActor AnyBidirectionalCollection AnyClass AnyCollection
    AnyHashable AnyIndex AnyIterator AnyKeyPath AnyObject AnyRandomAccessCollection
    AnyRegexOutput AnySequence Array ArrayLiteralConvertible ArraySlice AsyncCompactMapSequence
    AsyncDropFirstSequence AsyncDropWhileSequence AsyncFilterSequence AsyncFlatMapSequence
    AsyncIteratorProtocol AsyncMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence
    AsyncSequence AsyncStream AsyncThrowingCompactMapSequence AsyncThrowingDropWhileSequence
    AsyncThrowingFilterSequence AsyncThrowingFlatMapSequence AsyncThrowingMapSequence
    AsyncThrowingPrefixWhileSequence AsyncThrowingStream BidirectionalCollection
    BidirectionalIndexable BidirectionalSlice BinaryFloatingPoint BinaryInteger BitwiseCopyable
    Bool BooleanLiteralConvertible BooleanLiteralType CBool CChar CChar16 CChar32 CChar8 CDouble
    CFloat CFloat16 CInt CLong CLongDouble CLongLong CShort CSignedChar CUnsignedChar
    CUnsignedInt CUnsignedLong CUnsignedLongLong CUnsignedShort CVaListPointer CVarArg CWideChar
    CancellationError CaseIterable Character CheckedContinuation Clock ClosedRange
    ClosedRangeIndex Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection
    CollectionDifference CollectionOfOne CommandLine Comparable ConcurrentValue ContiguousArray
    ContinuousClock Copyable CountableClosedRange CountablePartialRangeFrom CountableRange
    CustomConsumingRegexComponent CustomDebugStringConvertible CustomLeafReflectable
    CustomPlaygroundDisplayConvertible CustomPlaygroundQuickLookable CustomReflectable
    CustomStringConvertible Decodable Decoder DecodingError DefaultBidirectionalIndices
    DefaultIndices DefaultRandomAccessIndices DefaultStringInterpolation Dictionary
    DictionaryIndex DictionaryIterator DictionaryLiteral DictionaryLiteralConvertible
    DiscardingTaskGroup DiscontiguousSlice Double DropFirstSequence DropWhileSequence Duration
    DurationProtocol EmptyCollection EmptyIterator Encodable Encoder EncodingError
    EnumeratedIterator EnumeratedSequence Equatable Error Escapable Executor ExecutorJob
    ExpressibleByArrayLiteral ExpressibleByBooleanLiteral ExpressibleByDictionaryLiteral
    ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral
    ExpressibleByIntegerLiteral ExpressibleByNilLiteral ExpressibleByStringInterpolation
    ExpressibleByStringLiteral ExpressibleByUnicodeScalarLiteral
    ExtendedGraphemeClusterLiteralConvertible ExtendedGraphemeClusterType FixedWidthInteger
    FlattenBidirectionalCollection FlattenBidirectionalCollectionIndex FlattenCollection
    FlattenCollectionIndex FlattenSequence Float Float16 Float32 Float64 Float80
    FloatLiteralConvertible FloatLiteralType FloatingPoint FloatingPointClassification
    FloatingPointRoundingRule FloatingPointSign GlobalActor Hashable Hasher Identifiable
    Indexable IndexableBase IndexingIterator InlineArray InstantProtocol Int Int128 Int16 Int32
    Int64 Int8 IntegerLiteralConvertible IntegerLiteralType IteratorOverOne IteratorProtocol
    IteratorSequence Job JobPriority JoinedIterator JoinedSequence KeyPath KeyValuePairs
    KeyedDecodingContainer KeyedDecodingContainerProtocol KeyedEncodingContainer
    KeyedEncodingContainerProtocol LazyBidirectionalCollection LazyCollection
    LazyCollectionProtocol LazyDropWhileBidirectionalCollection LazyDropWhileCollection
    LazyDropWhileIndex LazyDropWhileIterator LazyDropWhileSequence
    LazyFilterBidirectionalCollection LazyFilterCollection LazyFilterIndex LazyFilterIterator
    LazyFilterSequence LazyMapBidirectionalCollection LazyMapCollection LazyMapIterator
    LazyMapRandomAccessCollection LazyMapSequence LazyPrefixWhileBidirectionalCollection
    LazyPrefixWhileCollection LazyPrefixWhileIndex LazyPrefixWhileIterator
    LazyPrefixWhileSequence LazyRandomAccessCollection LazySequence LazySequenceProtocol
    LosslessStringConvertible MainActor ManagedBuffer ManagedBufferPointer MemoryLayout Mirror
    MirrorPath MutableBidirectionalSlice MutableCollection MutableIndexable
    MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
    MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan
    MutableSlice MutableSpan Never NilLiteralConvertible Numeric ObjectIdentifier OpaquePointer
    OptionSet Optional OutputRawSpan OutputSpan PartialAsyncTask PartialKeyPath PartialRangeFrom
    PartialRangeThrough PartialRangeUpTo PlaygroundQuickLook PrefixSequence
    RandomAccessCollection RandomAccessIndexable RandomAccessSlice RandomNumberGenerator Range
    RangeExpression RangeReplaceableBidirectionalSlice RangeReplaceableCollection
    RangeReplaceableIndexable RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet
    RawRepresentable RawSpan ReferenceWritableKeyPath Regex RegexComponent
    RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind Repeated Result
    ReversedCollection ReversedIndex ReversedRandomAccessCollection SIMD SIMD16 SIMD2 SIMD3
    SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar SIMDStorage Sendable SendableMetatype Sequence
    SerialExecutor Set SetAlgebra SetIndex SetIterator SignedInteger SignedNumeric
    SingleValueDecodingContainer SingleValueEncodingContainer Slice Span StaticBigInt
    StaticString StrideThrough StrideThroughIterator StrideTo StrideToIterator Strideable String
    StringInterpolationConvertible StringInterpolationProtocol StringLiteralConvertible
    StringLiteralType StringProtocol Substring SuspendingClock SystemRandomNumberGenerator Task
    TaskExecutor TaskGroup TaskLocal TaskPriority TextOutputStream TextOutputStreamable
    ThrowingDiscardingTaskGroup ThrowingTaskGroup UInt UInt128 UInt16 UInt32 UInt64 UInt8 UTF16
    UTF32 UTF8 UTF8Span UnboundedRange UnboundedRange_ UnfoldFirstSequence UnfoldSequence
    Unicode UnicodeCodec UnicodeDecodingResult UnicodeScalar UnicodeScalarLiteralConvertible
    UnicodeScalarType UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged UnownedJob
    UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeBufferPointerIterator
    UnsafeConcurrentValue UnsafeContinuation UnsafeCurrentTask UnsafeMutableBufferPointer
    UnsafeMutablePointer UnsafeMutableRawBufferPointer UnsafeMutableRawBufferPointerIterator
    UnsafeMutableRawPointer UnsafePointer UnsafeRawBufferPointer UnsafeRawBufferPointerIterator
    UnsafeRawPointer UnsafeSendable UnsafeThrowingContinuation UnsignedInteger Void
    WritableKeyPath Zip2Iterator Zip2Sequence
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
