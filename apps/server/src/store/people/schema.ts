import type { Generated } from 'kysely'

/** The tables of `people` as Kysely sees them. */
export interface PeopleTables {
  role: RoleTable
  account_project: { account_id: string; project_id: number }
  account_gateway: { account_id: string; gateway_id: number }
}

interface RoleTable {
  role_id: Generated<number>
  number: string
  name: string
  description: Generated<string>
  privileges: Generated<string[]>
  buttons: Generated<string[]>
  owner_id: string | null
  version: Generated<number>
}
