import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Seen } from '../alarm/event-filter.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
import type { StoredCommand } from './command.ts'
import { commandOf } from './command.ts'

interface LineFilter {
  readonly controllerId: string | null
  readonly lineNo: number | null
  readonly projectId: number | null
  readonly lineName: string | null
}

export interface LedgerFilter extends LineFilter {
  readonly actor: string | null
  readonly action: StoredCommand['action'] | null
  readonly state: StoredCommand['state'] | null
  readonly source: string | null
  readonly operationId: string | null
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

export interface LedgerRow {
  readonly command: StoredCommand
  readonly controllerId: string
  readonly lineNo: number
  readonly lineName: string
  readonly deviceName: string
  readonly gatewayName: string
  readonly projectName: string
}

/**
 * Commands of these lines, or of all (null), newest first; also of equipment that was taken out since. The lines are told as they are: asked
 * for inside the query they are looked for in the count and in the page, there for each command.
 */
export async function ledgerPage(
  { general }: Database,
  filter: Omit<LedgerFilter, keyof LineFilter>,
  lineIds: readonly number[] | null,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: readonly LedgerRow[]; readonly total: number }> {
  if (lineIds?.length === 0) return { rows: [], total: 0 }
  const { actor, action, state, source, operationId, commandId, from, to } = filter
  let query = general.selectFrom('command')
  if (lineIds) query = query.where('command.line_id', '=', sql<number>`any(${lineIds}::int[])`)
  if (actor) query = query.where(containsText('command.actor', actor))
  if (action !== null) query = query.where('command.action', '=', action)
  if (state !== null) query = query.where('command.state', '=', state)
  if (source !== null) query = query.where('command.source', '=', source)
  if (operationId !== null) query = query.where('command.run_id', '=', operationId)
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

/**
 * The lines that a filter and an access scope (null: everything) leave; null when they leave all. Asked with the owner's rights and bounded
 * here, because under the row policies each line would be judged by itself; whose commands they show is judged there once more.
 */
export async function ledgerLines(
  { general }: Database,
  { controllerId, lineNo, projectId, lineName }: LineFilter,
  scope: Seen | null,
): Promise<readonly number[] | null> {
  if (scope === null && controllerId === null && projectId === null && lineNo === null && !lineName) return null
  let query = general
    .selectFrom('line')
    .innerJoin('device', 'device.device_id', 'line.device_id')
    .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
    .select('line.line_id')
  if (scope !== null) query = query.where('gateway.gateway_id', 'in', gatewaysWithin(general, scope))
  if (controllerId !== null) query = query.where('device.controller_id', '=', controllerId)
  if (projectId !== null) query = query.where('gateway.project_id', '=', projectId)
  if (lineNo !== null) query = query.where('line.line_no', '=', lineNo)
  if (lineName) query = query.where(containsText('line.name', lineName))
  return (await query.execute()).map((row) => row.line_id)
}

const gatewaysWithin = (general: Database['general'], { projectIds, gatewayIds }: Seen) =>
  general
    .selectFrom('gateway')
    .select('gateway_id')
    .where('project_id', '=', sql<number>`any(${[...projectIds]}::int[])`)
    .union(
      general
        .selectFrom('gateway')
        .select('gateway_id')
        .where('gateway_id', '=', sql<number>`any(${[...gatewayIds]}::int[])`),
    )

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
