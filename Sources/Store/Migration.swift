/// One named step that brings the file from one version of the schema to the next.
struct Migration: Sendable {
  let name: String
  let sql: String
}
