import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { StoredCommand } from './command.ts'
import { commandOf } from './command.ts'
import type { Database } from './database.ts'
import type { Order, SortOf } from './in-order.ts'
import { coded, inOrder } from './in-order.ts'
import type { Schema } from './schema.ts'

export interface LedgerFilter {
  readonly controllerId: string | null
  readonly lineNo: number | null
  readonly projectId: number | null
  readonly lineName: string | null
  readonly actor: string | null
  readonly action: StoredCommand['action'] | null
  readonly state: StoredCommand['state'] | null
  readonly source: string | null
  readonly runId: string | null
  readonly commandId: string | null
  readonly from: number | null
  readonly to: number | null
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: {
    RequestedAt: 'command.issued_at',
    Actor: coded('command.actor'),
    Action: coded('command.action'),
    State: coded('command.state'),
  },
  ties: ['command.issued_at', 'command.command_id'],
} satisfies Order<string>

const newestFirst = <TB extends 'command', O>(query: SelectQueryBuilder<Schema, TB, O>) =>
  query.orderBy(sql`command.issued_at desc, command.command_id`)

/** Whose equipment: all of it, or of these projects and gateways. */
export type Sight = 'all' | { readonly projectIds: readonly number[]; readonly gatewayIds: readonly number[] }

export interface LedgerRow {
  readonly command: StoredCommand
  readonly controllerId: string
  readonly lineNo: number
  readonly lineName: string
  readonly deviceName: string
  readonly gatewayName: string
  readonly projectName: string
}

/** Commands of everything within sight, newest first; also of equipment that was taken out since. */
export async function ledgerPage(
  { general }: Database,
  filter: LedgerFilter,
  sight: Sight,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: readonly LedgerRow[]; readonly total: number }> {
  const { controllerId, lineNo, projectId, lineName, actor, action, state, source, runId, commandId, from, to } = filter
  let query = general.selectFrom('command')
  // Found once, and told as they are: asked for inside the query they are looked for in the count and in the page, there for each command.
  const lineIds = await lineIdsOf(general, { controllerId, lineNo, projectId, lineName }, sight)
  if (lineIds?.length === 0) return { rows: [], total: 0 }
  if (lineIds) query = query.where('command.line_id', '=', sql<number>`any(${lineIds}::int[])`)
  if (actor) query = query.where('command.actor', 'ilike', containing(actor))
  if (action !== null) query = query.where('command.action', '=', action)
  if (state !== null) query = query.where('command.state', '=', state)
  if (source !== null) query = query.where('command.source', '=', source)
  if (runId !== null) query = query.where('command.run_id', '=', runId)
  if (commandId !== null) query = query.where('command.command_id', '=', commandId)
  if (from !== null) query = query.where('command.issued_at', '>=', new Date(from))
  if (to !== null) query = query.where('command.issued_at', '<', new Date(to))
  const { count } = await query.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const found = inOrder(query.selectAll('command'), filter.sort, order, newestFirst).offset(page.offset).limit(page.limit)
  const named = general
    .selectFrom(found.as('command'))
    .innerJoin('line', 'line.line_id', 'command.line_id')
    .innerJoin('device', 'device.device_id', 'line.device_id')
    .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
    .innerJoin('project', 'project.project_id', 'gateway.project_id')
    .selectAll('command')
    .select([
      'device.controller_id',
      'line.line_no',
      'line.name as line_name',
      'device.name as device_name',
      'gateway.name as gateway_name',
      'project.name as project_name',
    ])
  const rows = await inOrder(named, filter.sort, order, newestFirst).execute()
  return {
    rows: rows.map((row) => ({
      command: commandOf(row),
      controllerId: row.controller_id,
      lineNo: row.line_no,
      lineName: row.line_name,
      deviceName: row.device_name,
      gatewayName: row.gateway_name,
      projectName: row.project_name,
    })),
    total: Number(count),
  }
}

/** The lines that a filter and somebody's sight leave; null when they leave all. */
async function lineIdsOf(
  general: Database['general'],
  { controllerId, lineNo, projectId, lineName }: Pick<LedgerFilter, 'controllerId' | 'lineNo' | 'projectId' | 'lineName'>,
  sight: Sight,
): Promise<readonly number[] | null> {
  const anywhere = sight === 'all' && controllerId === null && projectId === null
  if (anywhere && lineNo === null && !lineName) return null
  let query = general.selectFrom('line').select('line.line_id')
  if (!anywhere) query = query.where('line.device_id', 'in', devicesOf(general, { controllerId, projectId }, sight))
  if (lineNo !== null) query = query.where('line.line_no', '=', lineNo)
  if (lineName) query = query.where('line.name', 'ilike', containing(lineName))
  return (await query.execute()).map((row) => row.line_id)
}

function devicesOf(
  general: Database['general'],
  { controllerId, projectId }: Pick<LedgerFilter, 'controllerId' | 'projectId'>,
  sight: Sight,
) {
  let query = general
    .selectFrom('device')
    .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
    .select('device.device_id')
  if (sight !== 'all')
    query = query.where(({ or, eb }) =>
      or([
        eb('gateway.project_id', '=', sql<number>`any(${[...sight.projectIds]}::int[])`),
        eb('gateway.gateway_id', '=', sql<number>`any(${[...sight.gatewayIds]}::int[])`),
      ]),
    )
  if (controllerId !== null) query = query.where('device.controller_id', '=', controllerId)
  if (projectId !== null) query = query.where('gateway.project_id', '=', projectId)
  return query
}

const containing = (part: string) => `%${part.replace(/[\\%_]/g, (each) => `\\${each}`)}%`

export interface StoredStep {
  readonly state: string
  readonly at: number
  readonly evidence: Record<string, unknown>
}

/** What happened to a command, in order. */
export async function stepsOf({ general }: Database, commandId: string): Promise<readonly StoredStep[]> {
  const rows = await general
    .selectFrom('command_step')
    .selectAll()
    .where('command_id', '=', commandId)
    .orderBy('step_no')
    .execute()
  return rows.map((row) => ({ state: row.state, at: row.at.getTime(), evidence: row.evidence }))
}
