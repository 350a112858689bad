import type { Database } from '../core/database.ts'
import type { LinkRow } from './link.ts'

export type SilentLink = Pick<LinkRow, 'link_id' | 'name' | 'owner_id' | 'group_id' | 'project_ids'>

/** Links of which a browser that shows it was not heard since. */
export async function linksSilentSince({ general }: Database, since: number, now: number): Promise<SilentLink[]> {
  return general
    .selectFrom('screen_seat as seat')
    .innerJoin('screen_link as link', 'link.link_id', 'seat.link_id')
    .select(['link.link_id', 'link.name', 'link.owner_id', 'link.group_id', 'link.project_ids'])
    .where('seat.ended_at', 'is', null)
    .where('link.revoked_at', 'is', null)
    .where((or) => or.or([or('link.hard_until', 'is', null), or('link.hard_until', '>', new Date(now))]))
    .where('seat.last_beat', '<=', new Date(since))
    .groupBy('link.link_id')
    .execute()
}

/** Which walls stand as silent: by the point of each event its gateway. */
export async function openSilences({ general }: Database, key: string): Promise<ReadonlyMap<string, number>> {
  const rows = await general
    .selectFrom('event')
    .select(['point', 'gateway_id'])
    .where('key', '=', key)
    .where('state', 'in', ['active', 'acknowledged'])
    .execute()
  return new Map(
    rows.flatMap(({ point, gateway_id }) => (point === null || gateway_id === null ? [] : [[point, gateway_id] as const])),
  )
}
