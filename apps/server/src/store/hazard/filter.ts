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

/** Whether it is asked of everything, whatever the alarm: that is kept summed. */
export const isOfEverything = ({ seen, projectIds, gatewayId, deviceId, lineId }: CountFilter): boolean =>
  [seen, projectIds, gatewayId, deviceId, lineId].every((each) => each === null)

/** Rows of a table of sums. */
export const summed = ({ keys, kinds, priorities }: CountFilter): RawBuilder<boolean> =>
  all(alarms({ keys, kinds, priorities }, sql``))

/** Rows of `counted`, a table of counts by place; of the `place`, too, where only its number would not do. */
export function counted(filter: CountFilter): RawBuilder<boolean> {
  const { seen, projectIds, gatewayId, deviceId, lineId } = filter
  const ofPlace = [...sites(filter, sql`place.`), ...alarms(filter, sql`place.`)]
  return all([
    ...(seen ? [ofProjects(seen.projectIds, seen.gatewayIds)] : []),
    ...(projectIds ? [ofProjects(projectIds, [])] : []),
    ...(gatewayId === null ? [] : [sql<boolean>`counted.gateway_id = ${gatewayId}`]),
    // By its gateways a device or a line is found among the counts of all.
    ...(deviceId === null && lineId === null
      ? []
      : [
          sql<boolean>`counted.gateway_id = any(array(select place.gateway_id from event_place place where ${all(sites(filter, sql`place.`))}))`,
        ]),
    ...ofPlace,
  ])
}

/** What `counted` needs beside the table of counts itself. */
export const countedWith = (filter: CountFilter): RawBuilder<unknown> =>
  [filter.deviceId, filter.lineId, filter.keys, filter.kinds, filter.priorities].every((each) => each === null)
    ? sql``
    : withPlace
export const withPlace = sql`join event_place place using (place_id)`

/** The events of a filter. */
export function matching(filter: CountFilter): RawBuilder<boolean> {
  const { seen, projectIds } = filter
  return all([
    ...(seen
      ? [sql<boolean>`(event.project_id = any(${ints(seen.projectIds)}) or event.gateway_id = any(${ints(seen.gatewayIds)}))`]
      : []),
    ...(projectIds ? [sql<boolean>`event.project_id = any(${ints(projectIds)})`] : []),
    ...(filter.gatewayId === null ? [] : [sql<boolean>`event.gateway_id = ${filter.gatewayId}`]),
    ...sites(filter, sql`event.`),
    ...alarms(filter, sql`event.`),
  ])
}

function sites({ deviceId, lineId }: CountFilter, of: RawBuilder<unknown>): RawBuilder<boolean>[] {
  return [
    ...(deviceId === null
      ? []
      : [
          sql<boolean>`(${of}device_id = ${deviceId} or ${of}line_id in (select line_id from line where device_id = ${deviceId}))`,
        ]),
    ...(lineId === null ? [] : [sql<boolean>`${of}line_id = ${lineId}`]),
  ]
}

function alarms(
  { keys, kinds, priorities }: Pick<CountFilter, 'keys' | 'kinds' | 'priorities'>,
  of: RawBuilder<unknown>,
): RawBuilder<boolean>[] {
  return [
    ...(keys ? [sql<boolean>`${of}key = any(${[...keys]}::text[])`] : []),
    ...(kinds ? [sql<boolean>`${of}kind = any(${[...kinds]}::text[])`] : []),
    ...(priorities ? [sql<boolean>`${of}priority = any(${[...priorities]}::text[])`] : []),
  ]
}

const ofProjects = (projectIds: readonly number[], gatewayIds: readonly number[]) =>
  sql<boolean>`(counted.gateway_id = any(array(select gateway_id from gateway where project_id = any(${ints(projectIds)})) || ${ints(gatewayIds)})
    or (counted.gateway_id = 0 and counted.project_id = any(${ints(projectIds)})))`

const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join([...conditions], sql` and `)}`
