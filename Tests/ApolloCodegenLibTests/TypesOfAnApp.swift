// Types that an app may have. Golden files are embedded in this target, as generated code may be in that of an app, and compile only
// while they say what they mean of the runtime's types with these names.

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
