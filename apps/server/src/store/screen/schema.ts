import type { Request, saveTopology } from '@linewarden/contract'
import type { Json } from '../core/columns.ts'

/** What people entered of how a project is supplied. */
export type TopologyContent = Omit<Request<typeof saveTopology>['body'], 'Version'>

/** The tables of `screen` as Kysely sees them. */
export interface ScreenTables {
  topology: TopologyTable
}

interface TopologyTable {
  project_id: number
  content: Json<TopologyContent>
  version: number
}
