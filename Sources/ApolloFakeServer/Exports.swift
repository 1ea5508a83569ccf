// A program that imports this module makes a server and its rules.
@_exported public import GraphQLFakeServer
