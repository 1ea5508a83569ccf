swift run apollo-cli fetch-schema
