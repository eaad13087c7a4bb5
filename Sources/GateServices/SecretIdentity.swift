import CSecret

/// What libsecret finds a secret by: the schema and its one attribute.
///
/// Freed with this.
final class SecretIdentity {
  let schema: UnsafeMutablePointer<SecretSchema>?
  let attributes: OpaquePointer?

  init(schema name: String) {
    let attribute = (name: "app", value: "app-gates")
    let types = g_hash_table_new(g_str_hash, g_str_equal)
    g_hash_table_insert(types, g_strdup(attribute.name), UnsafeMutableRawPointer(bitPattern: 0))
    schema = secret_schema_newv(name, SECRET_SCHEMA_NONE, types)
    attributes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    g_hash_table_insert(attributes, g_strdup(attribute.name), g_strdup(attribute.value))
    g_hash_table_unref(types)
  }

  deinit {
    secret_schema_unref(schema)
    g_hash_table_unref(attributes)
  }
}

/// The secret as libsecret takes it: in memory that is locked where the system allows, and wiped at the end.
final class SecretBox {
  let raw: OpaquePointer?

  init(_ secret: String) { raw = secret_value_new(secret, -1, "text/plain") }

  deinit { secret_value_unref(UnsafeMutableRawPointer(raw)) }
}
