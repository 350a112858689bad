import type pg from 'pg'
import type { PlantLine } from '../../plant/plant.ts'
import { prepared } from '../core/prepared.ts'
import type { Batch, ReportedStates } from './batch.ts'

type Setting = Batch['settings'][number]

/** Of what was reported of one setting more than once the last word: one statement cannot write a row twice. */
export const newestSettings = (settings: readonly Setting[]): Setting[] => [
  ...new Map(settings.map((each) => [`${each.line.id} ${each.key}`, each])).values(),
]

/** Writes what lines report of their settings, each once. */
export async function writeSettings(client: pg.ClientBase, settings: readonly Setting[]): Promise<void> {
  if (settings.length === 0) return
  await prepared(
    client,
    'settings',
    `insert into line_setting (line_id, key, reported, reported_at)
     select * from unnest($1::int[], $2::text[], $3::float8[], $4::timestamptz[])
     on conflict (line_id, key) do update set reported = excluded.reported, reported_at = excluded.reported_at`,
    [
      settings.map(({ line }) => line.id),
      settings.map(({ key }) => key),
      settings.map(({ value }) => value),
      settings.map(({ at }) => new Date(at)),
    ],
  )
}

const time = (ms: number | null | undefined) => (ms == null ? null : new Date(ms))

/** Writes which states lines have come to. */
export async function writeStates(
  client: pg.ClientBase,
  reported: readonly (readonly [PlantLine, ReportedStates])[],
): Promise<void> {
  for (const reportsSince of [true, false]) {
    const all = reported.filter(([, { positionSince }]) => (positionSince !== undefined) === reportsSince)
    if (all.length === 0) continue
    await prepared(
      client,
      'line states',
      `insert into line_state (line_id, states, position_at, changed_at, position_since)
       select * from unnest($1::int[], $2::jsonb[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
       on conflict (line_id) do update set states = line_state.states || excluded.states,
         position_at = coalesce(excluded.position_at, line_state.position_at), changed_at = excluded.changed_at,
         position_since = case when $6 then excluded.position_since else line_state.position_since end`,
      [
        all.map(([{ id }]) => id),
        all.map(([, { changed }]) => JSON.stringify(Object.fromEntries(changed))),
        all.map(([, { positionAt }]) => time(positionAt)),
        all.map(([, { at }]) => time(at)),
        all.map(([, { positionSince }]) => time(positionSince)),
        reportsSince,
      ],
    )
  }
}
