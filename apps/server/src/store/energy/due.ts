import { dayMs, minuteMs } from '@linewarden/equipment'
import { quarterMs, quarterOf } from '@linewarden/rules/energy'
import type pg from 'pg'
import { countOtherwise } from './count-otherwise.ts'
import { fixesOver } from './lay-fixes.ts'
import { makeOfHours } from './make-of-hours.ts'
import { makeQuarters, maxStretchMs, storeQuarters } from './make-quarters.ts'
import type { Stretch } from './quarter-cells.ts'
import { restoreUndone } from './restore-undone.ts'

/** So long after a quarter its readings are expected to be stored. */
const settledMs = 2 * minuteMs
/** Lines, or stretches of them, in one transaction. */
const atOnce = 400

/** One maker at a time of all servers: whoever comes meanwhile waits, and finds less to do. */
export const energyLock = "select pg_advisory_xact_lock(hashtext('energy'))"

/** One transaction of the makers; false: there was nothing to do. */
export async function inTurn(client: pg.ClientBase, work: () => Promise<boolean>): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(energyLock)
    const found = await work()
    await client.query('commit')
    return found
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Makes the quarters that ended since each line was last made, of lines that reported since, until it is done or `until` says that it is enough;
 * whatever was reported while no server ran is made alike. Answers how many lines there were.
 */
export async function makeNewQuarters(client: pg.ClientBase, now: number, until: () => boolean = () => false): Promise<number> {
  const boundary = quarterOf(now - settledMs)
  let count = 0
  let after = 0
  const next = async () => {
    // A line that is far behind gets there day by day; one that is silent waits for its next reading.
    const { rows } = await client.query<{ line_id: number; made_to: Date }>(
      `select line_id, made_to from energy_line
       where line_id > $1 and made_to < $2::timestamptz and exists (
         select from reading where reading.line_id = energy_line.line_id and at >= made_to + interval '15 minutes' and at < $3 and counter is not null)
       order by line_id limit ${atOnce}`,
      [after, new Date(boundary), new Date(now + quarterMs)],
    )
    const stretches = rows.map(({ line_id, made_to }) => stretchOf(line_id, made_to.getTime(), boundary))
    if (stretches.length > 0) await makeQuarters(client, stretches, now)
    after = rows.at(-1)?.line_id ?? after
    count += rows.length
    return rows.length === atOnce
  }
  while ((await inTurn(client, next)) && !until());
  return count
}

const stretchOf = (lineId: number, from: number, boundary: number): Stretch => ({
  lineId,
  from,
  to: Math.max(from + quarterMs, Math.min(boundary, from + maxStretchMs)),
})

/**
 * Makes what is noted as due, the latest first and a day at a time, until it is done or `until` says that it is enough: what comes in now does not
 * wait for years that are made after an upgrade. A note is taken with the quarters that are made by it: whatever interrupts, they are made or still
 * due. Answers how many notes were taken.
 */
export async function makeDueQuarters(client: pg.ClientBase, now: number, until: () => boolean = () => false): Promise<number> {
  let count = 0
  const next = async () => {
    const rows = await takeNotes(client)
    count += rows.length
    await restoreUndone(client, now)
    await countOtherwise(
      client,
      rows.flatMap((row) => (row.factor === null ? [] : { ...stretchOfNote(row), factor: row.factor })),
      now,
    )
    const stretches = joined(rows.map(stretchOfNote))
    const [latest, earlier] = [stretches.map(lastDay), stretches.flatMap(before)]
    if (latest.length > 0) {
      await makeQuarters(client, latest, now)
      await makeOfHours(client, latest, now)
      await storeQuarters(client, await fixesOver(client, latest), now)
    }
    if (earlier.length > 0)
      await client.query(
        'insert into energy_due (line_id, starts, ends) select * from unnest($1::int[], $2::timestamptz[], $3::timestamptz[])',
        [earlier.map(({ lineId }) => lineId), earlier.map(({ from }) => new Date(from)), earlier.map(({ to }) => new Date(to))],
      )
    return rows.length > 0
  }
  while (!until() && (await inTurn(client, next)));
  return count
}

interface Note {
  readonly line_id: number
  readonly starts: Date
  readonly ends: Date
  readonly factor: number | null
}

/** What other meters count comes first: whatever is made afterwards goes by them. */
async function takeNotes(client: pg.ClientBase): Promise<readonly Note[]> {
  const take = (which: string) =>
    client.query<Note>(
      `delete from energy_due where ctid in (select ctid from energy_due ${which} limit ${atOnce}) returning line_id, starts, ends, factor`,
    )
  const { rows } = await take('where factor is not null')
  return rows.length > 0 ? rows : (await take('order by ends desc')).rows
}

const stretchOfNote = ({ line_id, starts, ends }: Note): Stretch => ({
  ...{ lineId: line_id, from: quarterOf(starts.getTime()), to: wholeQuarters(ends.getTime()) },
})

/** Stretches of a line that meet are made once. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const sorted = stretches.toSorted((one, other) => one.lineId - other.lineId || one.from - other.from)
  const made: Stretch[] = []
  for (const each of sorted) {
    const last = made.at(-1)
    if (last?.lineId === each.lineId && each.from <= last.to) made[made.length - 1] = { ...last, to: Math.max(last.to, each.to) }
    else made.push(each)
  }
  return made
}

/** Where the row begins that holds the last quarter of a stretch. */
const lastMidnight = ({ to }: Stretch): number => Math.floor((to - 1) / dayMs) * dayMs
const lastDay = (stretch: Stretch): Stretch => ({ ...stretch, from: Math.max(stretch.from, lastMidnight(stretch)) })
const before = (stretch: Stretch): readonly Stretch[] => {
  const to = lastMidnight(stretch)
  return stretch.from < to ? [{ ...stretch, to }] : []
}
const wholeQuarters = (at: number): number => Math.ceil(at / quarterMs) * quarterMs
