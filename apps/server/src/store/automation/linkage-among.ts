import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { StoredLinkage } from './linkage.ts'
import { linkagesOf } from './linkage.ts'
import type { StoredScene } from './scene.ts'
import { scenesOf } from './scene.ts'

/** What a linkage stands among in its project. */
export interface LinkagesAmong {
  readonly linkages: readonly StoredLinkage[]
  /** By the id of a line as text the lines that it feeds. */
  readonly feeds: ReadonlyMap<string, readonly string[]>
  readonly scenes: readonly StoredScene[]
}

/** Throws what refuses to save. */
export type CheckAmong = (among: LinkagesAmong) => void

/**
 * Who changes what linkages of a project do, by themselves or by a scene that they run, come one after the other: either sees the loop that both
 * would make. To be asked for before anything else is locked.
 */
export async function amongLinkages(trx: Kysely<Schema>, projectId: number): Promise<LinkagesAmong> {
  await linkagesInTurn(trx, projectId)
  const linkages = await linkagesOf(trx, [projectId])
  return { linkages, feeds: await feedsOf(trx, projectId), scenes: await scenesOf(trx, [projectId]) }
}

export const linkagesInTurn = (trx: Kysely<Schema>, projectId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('linkage'), ${projectId})`.execute(trx)

async function feedsOf(trx: Kysely<Schema>, projectId: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ upstream: number; line: number }>`
    select line.fed_by as upstream, line.line_id as line from line join device using (device_id) join gateway using (gateway_id)
    where gateway.project_id = ${projectId} and line.fed_by is not null`.execute(trx)
  const feeds = new Map<string, string[]>()
  for (const { upstream, line } of rows) {
    const fed = feeds.get(String(upstream))
    if (fed) fed.push(String(line))
    else feeds.set(String(upstream), [String(line)])
  }
  return feeds
}
