// Types that an app may have. Golden files are embedded in this target, as generated code may be
// embedded in an app. They compile only if they qualify the types of the runtime with these names.

enum EnumLiteral {}
enum EnumType {}
enum FragmentContainer {}
enum GraphQLOperationType {}
enum Indirect {}
enum InputFields {}
enum InputObject {}
enum ResponseObject {}
enum SchemaTypes {}
enum SelectionLayout {}
enum Selections {}
enum Variables {}
