swift run apollo-cli init --schema-namespace MyAPI --module-type other \
  --endpoint http://localhost:8000/graphql
