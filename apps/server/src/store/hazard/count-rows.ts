import type pg from 'pg'
import type { Tally, TallyPlace } from './tally.ts'
import { dayFigures, placeName } from './tally.ts'

/** The columns of `dayFigures`. */
export const dayColumns = ['raised', 'announced', 'folded', 'bursts', 'fleeting', 'unjustified', 'over_day', 'active_ms'] as const

/** What is counted of places, and what of it is kept summed of everything, each by its key. */
export const countTables = [
  {
    of: 'day',
    key: 'gateway_id, day, place_id',
    figures: dayColumns,
    sum: { key: 'day, key, kind, priority', figures: dayColumns.filter((name) => name !== 'active_ms') },
  },
  {
    of: 'ten',
    key: 'gateway_id, ten, place_id',
    figures: ['announced', 'folded'],
    sum: { key: 'ten, kind, priority', figures: ['announced', 'folded'] },
  },
  {
    of: 'ack',
    key: 'gateway_id, day, place_id, seconds',
    figures: ['times'],
    sum: { key: 'day, kind, priority, seconds', figures: ['times'] },
  },
] as const

/** Rows of a tally: from what a query reads them, and its values. */
interface Rows {
  /** How many. */
  readonly length: number
  readonly columns: readonly string[]
  readonly from: string
  readonly values: readonly string[]
}

/** What of a tally goes into `event_day`, `event_ten`, `event_ack` and `event_counted`. `numbers`: those of its places. */
export function rowsOf(tally: Tally, numbers: readonly number[]) {
  const { places, steps } = tally
  const rows = <T extends { readonly place: number }>(of: readonly T[], columns: readonly Column<T>[]): Rows => {
    const all: readonly Column<T>[] = [
      ['place_id', 'int', ({ place }) => numbers[place] ?? 0],
      ['gateway_id', 'int', ({ place }) => places[place]?.gateway_id ?? 0],
      ['project_id', 'int', ({ place }) => places[place]?.project_id ?? 0],
      ...columns,
    ]
    const names = all.map(([name]) => name)
    return {
      length: of.length,
      columns: names,
      from: `unnest(${all.map(([, type], i) => `$${i + 1}::${type}[]`)}) as added (${names})`,
      // As the text of an array: neither side takes it apart value by value more than once.
      values: all.map(([, , value]) => `{${of.map(value).join(',')}}`),
    }
  }
  return {
    day: rows(
      [...tally.days.values()],
      [
        ['day', 'int', ({ day }) => day],
        ...dayFigures.map((_, i): Column<{ readonly counts: readonly number[] }> => {
          const name = dayColumns[i] ?? ''
          return [name, name === 'active_ms' ? 'bigint' : 'int', ({ counts }) => counts[i] ?? 0]
        }),
      ],
    ),
    ten: rows(
      [...tally.tens.values()],
      [
        ['ten', 'int', ({ ten }) => ten],
        ['announced', 'int', ({ announced }) => announced],
        ['folded', 'int', ({ folded }) => folded],
      ],
    ),
    ack: rows(
      [...tally.acks.values()],
      [
        ['day', 'int', ({ day }) => day],
        ['seconds', 'int', ({ seconds }) => seconds],
        ['times', 'int', ({ times }) => times],
      ],
    ),
    counted: rows(steps, [
      ['event_id', 'bigint', ({ event_id }) => event_id],
      ['step_id', 'bigint', ({ step_id }) => step_id],
      ['at', 'timestamptz', ({ at }) => momentText(at)],
      ['day', 'int', ({ day }) => day],
      ['priority', 'text', ({ priority }) => priority],
      ['counted', 'smallint', ({ counted }) => counted],
      ['since', 'timestamptz', ({ since }) => (since === null ? 'null' : momentText(since))],
    ]),
  }
}
type Column<T> = readonly [name: string, type: string, value: (row: T) => number | string]

const momentText = (at: number): string => `"${new Date(at).toISOString()}"`

const plus = (name: string): string => `${name} = present.${name} + excluded.${name}`

/** Adds what was tallied to the counts of places and to the sums of everything. */
export async function addTally(client: pg.ClientBase, tally: Tally, numbers: readonly number[]): Promise<void> {
  const { counted, ...counts } = rowsOf(tally, numbers)
  for (const { of, key, figures, sum } of countTables) {
    await add(client, counts[of], { table: `event_${of}`, key, figures })
    await addSums(client, counts[of], { table: `event_${of}_sum`, ...sum })
  }
  if (counted.length > 0)
    await client.query(`insert into event_counted (${counted.columns}) select * from ${counted.from} ${countedAgain}`, [
      ...counted.values,
    ])
}

/** A step that was counted before keeps the priority it was counted with. */
export const countedAgain = `on conflict (event_id, step_id) do update set at = excluded.at, day = excluded.day,
  gateway_id = excluded.gateway_id, project_id = excluded.project_id, place_id = excluded.place_id, counted = excluded.counted,
  since = excluded.since`

interface Into {
  readonly table: string
  readonly key: string
  readonly figures: readonly string[]
}

async function add(client: pg.ClientBase, rows: Rows, { table, key, figures }: Into): Promise<void> {
  if (rows.length === 0) return
  await client.query(
    `insert into ${table} as present (${rows.columns}) select * from ${rows.from} on conflict (${key}) do update set ${figures.map(plus)}`,
    [...rows.values],
  )
}

async function addSums(client: pg.ClientBase, rows: Rows, { table, key, figures }: Into): Promise<void> {
  if (rows.length === 0) return
  await client.query(
    `insert into ${table} as present (${key}, ${figures}) select ${key}, ${figures.map((name) => `sum(${name})`)}
     from ${rows.from} join event_place using (place_id) group by ${key} on conflict (${key}) do update set ${figures.map(plus)}`,
    [...rows.values],
  )
}

/** The numbers of places, each looked up once; what is new gets one. One connection counts at a time, in a transaction. */
export class PlaceNumbers {
  readonly #known = new Map<string, number>()

  /** In the order of these places. */
  async of(client: pg.ClientBase, places: readonly TallyPlace[]): Promise<readonly number[]> {
    const names = places.map(placeName)
    const asked = places.flatMap((place, nth) => (this.#known.has(names[nth] ?? '') ? [] : [{ nth, ...place }]))
    if (asked.length > 0) {
      const { rows } = await client.query<{ nth: number; place_id: number }>(
        `with given as (
           select given.*, known.place_id
           from jsonb_to_recordset($1::jsonb) as given (nth int, gateway_id int, project_id int, device_id int, line_id int, key text, kind text,
             priority text)
           left join lateral (select place_id from event_place known
             where (known.gateway_id, known.project_id, known.device_id, known.line_id) = (given.gateway_id, given.project_id, given.device_id, given.line_id)
               and (known.key, known.kind, known.priority) = (given.key, given.kind, given.priority) limit 1) as known on true
         ), made as (
           insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
           select gateway_id, project_id, device_id, line_id, key, kind, priority from given where place_id is null
           returning *
         )
         select nth, place_id from given where place_id is not null
         union all
         select given.nth, made.place_id from given join made using (gateway_id, project_id, device_id, line_id, key, kind, priority)`,
        [JSON.stringify(asked)],
      )
      for (const { nth, place_id } of rows) this.#known.set(names[nth] ?? '', place_id)
    }
    return names.map((name) => this.#known.get(name) ?? 0)
  }
}
