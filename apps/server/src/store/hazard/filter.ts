import type { AlarmKind, Priority } from '@linewarden/equipment'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Seen } from '../alarm/event-filter.ts'

/** Which alarms are counted; null narrows nothing. */
export interface CountFilter {
  readonly seen: Seen | null
  /** Of a group. */
  readonly projectIds: readonly number[] | null
  readonly gatewayId: number | null
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly keys: readonly string[] | null
  readonly kinds: readonly AlarmKind[] | null
  readonly priorities: readonly Priority[] | null
}

const ints = (ids: readonly number[]) => sql`${[...ids]}::int[]`

/** The counts of a filter: 0 stands in them for what is not. */
export function counted(filter: CountFilter): RawBuilder<boolean> {
  return all([
    ...(filter.seen ? [ofProjects(filter.seen.projectIds, filter.seen.gatewayIds)] : []),
    ...(filter.projectIds ? [ofProjects(filter.projectIds, [])] : []),
    ...alarms(filter, sql``),
  ])
}

/** The events of a filter. */
export function matching(filter: CountFilter): RawBuilder<boolean> {
  const { seen, projectIds } = filter
  return all([
    ...(seen
      ? [sql<boolean>`(event.project_id = any(${ints(seen.projectIds)}) or event.gateway_id = any(${ints(seen.gatewayIds)}))`]
      : []),
    ...(projectIds ? [sql<boolean>`event.project_id = any(${ints(projectIds)})`] : []),
    ...alarms(filter, sql`event.`),
  ])
}

function alarms(
  { gatewayId, deviceId, lineId, keys, kinds, priorities }: CountFilter,
  of: RawBuilder<unknown>,
): RawBuilder<boolean>[] {
  return [
    ...(gatewayId === null ? [] : [sql<boolean>`${of}gateway_id = ${gatewayId}`]),
    ...(deviceId === null
      ? []
      : [
          sql<boolean>`(${of}device_id = ${deviceId} or ${of}line_id in (select line_id from line where device_id = ${deviceId}))`,
        ]),
    ...(lineId === null ? [] : [sql<boolean>`${of}line_id = ${lineId}`]),
    ...(keys ? [sql<boolean>`${of}key = any(${[...keys]}::text[])`] : []),
    ...(kinds ? [sql<boolean>`${of}kind = any(${[...kinds]}::text[])`] : []),
    ...(priorities ? [sql<boolean>`${of}priority = any(${[...priorities]}::text[])`] : []),
  ]
}

const ofProjects = (projectIds: readonly number[], gatewayIds: readonly number[]) =>
  sql<boolean>`(gateway_id in (select gateway_id from gateway where project_id = any(${ints(projectIds)}))
    or gateway_id = any(${ints(gatewayIds)}) or project_id = any(${ints(projectIds)}))`

const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join([...conditions], sql` and `)}`
