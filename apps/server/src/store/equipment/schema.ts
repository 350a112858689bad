/** The tables of `equipment` as Kysely sees them. */
export interface EquipmentTables {
  device_token: { token_hash: string; device_id: number; made_by: string; made_at: Date; revoked_at: Date | null }
}
