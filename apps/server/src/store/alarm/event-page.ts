import type { Sort } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { CountedSteps, StepFilter } from '../hazard/counted.ts'
import { countedSteps, eventsCounted } from '../hazard/counted.ts'
import type { EventFilter } from './event-filter.ts'
import { matchingEvents, narrows } from './event-filter.ts'

export type EventOrder = 'EventID' | 'Priority' | 'RaisedAt' | 'Raises'

type Events = ReturnType<typeof matchingEvents>

interface OrderedBy {
  readonly value: RawBuilder<unknown>
  /** The value as the cursor carries it, and the cursor's text as that value again. */
  readonly written: RawBuilder<string>
  readonly read: (written: string) => RawBuilder<unknown>
}

/** Priorities count from the mildest, 1. */
const mildestFirst = priorities.toReversed()
const severity = sql<number>`array_position(array[${sql.join(mildestFirst.map((each) => sql.lit(each)))}], priority)`

export const orders: Readonly<Record<EventOrder, OrderedBy>> = {
  EventID: { value: sql`0`, written: sql`'0'`, read: () => sql`0` },
  Priority: { value: severity, written: sql`${severity}::text`, read: (written) => sql`${written}::int` },
  RaisedAt: {
    value: sql.ref('raised_at'),
    written: sql`(extract(epoch from raised_at) * 1000000)::bigint::text`,
    read: (written) => sql`timestamptz 'epoch' + ${written}::bigint * interval '1 microsecond'`,
  },
  Raises: { value: sql.ref('raises'), written: sql`raises::text`, read: (written) => sql`${written}::int` },
}

export const orderOf = (sort: Sort<EventOrder>): EventOrder => sort.replace('-', '') as EventOrder

export interface PageAsked {
  readonly sort: Sort<EventOrder>
  /** After which place in this order, as `next` of the page before says; null: from the beginning. */
  readonly before: string | null
  readonly page: number
  readonly size: number
}

/** So many that match are found in any order and sorted; of more, so many lie close together in each order that walking it soon meets a page. */
export const sortedAtMost = 10_000
/** So many steps that were counted are found, whatever the order, with their events. */
const stepsAtMost = 25_000
/** Of more alarms each is not asked for by itself. */
const keysApart = 8

interface Place {
  readonly value: string
  readonly id: string
}

interface EventIds {
  readonly ids: readonly string[]
  /** Null: more than are counted here. */
  readonly total: number | null
  /** How often they were counted, where what was counted is asked for; null: not known yet. */
  readonly times: number | null
}

/** The numbers of a page of events, one more than its size where there is another, and how many match in all. */
export async function pageOfEvents(
  database: Pick<Database, 'general'>,
  filter: EventFilter,
  asked: PageAsked,
): Promise<EventIds> {
  const { counted } = filter
  if (counted && counted.as !== 'longActive') {
    const few = await new Wanted(database, filter, asked, null).fewCounted({ ...filter, counted })
    if (few) return few
    const among = await eventsCounted(database, counted)
    return { ids: await new Wanted(database, filter, asked, among).walkedIds(), total: null, times: null }
  }
  const wanted = new Wanted(database, filter, asked, null)
  const few = await wanted.fewIds()
  return { ...(few ?? { ids: await wanted.walkedIds(), total: null }), times: null }
}

/** What of a filter the steps themselves tell, and what only their events do. */
export function byStepsOf(filter: CountedFilter): { readonly ofSteps: StepFilter; readonly ofEvents: EventFilter } {
  const { counted, priorities, gatewayId, keys, kinds } = filter
  const line = filter.line?.around ? filter.line : null
  return {
    ofSteps: { counted, priorities, gatewayId, keys, kinds, lineId: line ? null : (filter.line?.id ?? null) },
    ofEvents: { ...filter, counted: null, priorities: null, gatewayId: null, keys: null, kinds: null, line },
  }
}
export type CountedFilter = EventFilter & { readonly counted: CountedSteps }

interface Among {
  readonly first: string
  readonly last: string
}

/** One question for a page, and the ways to answer it. */
class Wanted {
  readonly #database: Pick<Database, 'general'>
  readonly #filter: EventFilter
  readonly #asked: PageAsked
  readonly #order: EventOrder
  readonly #down: boolean
  readonly #place: Place | null
  /** Between which events all of them lie, where that is known. */
  readonly #among: Among | null

  constructor(database: Pick<Database, 'general'>, filter: EventFilter, asked: PageAsked, among: Among | null) {
    this.#among = among
    this.#database = database
    this.#filter = filter
    this.#asked = asked
    this.#down = asked.sort.startsWith('-')
    this.#order = orderOf(asked.sort)
    const [value = '', id = ''] = asked.before?.split('.') ?? []
    this.#place = asked.before === null ? null : { value, id }
  }

  /** Where few enough match: all of them, sorted. Null: more do. */
  async fewIds(): Promise<{ readonly ids: readonly string[]; readonly total: number } | null> {
    const matching = this.#together(this.#byTime().map((each) => this.#columns(each)))
    const { rows } = await sql<{ total: number; ids: string[] | null }>`
      with matched as materialized (select * from (${matching}) every limit ${sortedAtMost + 1}),
        counted as (select count(*)::int as total from matched)
      select total, case when total <= ${sortedAtMost} then array(${this.#sorted(sql`matched`)}) end as ids from counted`.execute(
      this.#database.general,
    )
    const { total = 0, ids = [] } = rows[0] ?? {}
    return ids === null ? null : { ids, total }
  }

  /** Where few enough steps were counted: their events, sorted, each asked for by its number. Null: more were. */
  async fewCounted(filter: CountedFilter): Promise<EventIds | null> {
    const { ofSteps, ofEvents } = byStepsOf(filter)
    const { value } = orders[this.#order]
    const event = matchingEvents(this.#database, ofEvents).where(sql<boolean>`event.event_id = step.event_id`)
    const needsEvents = narrows(ofEvents) || this.#order !== 'EventID'
    const { rows } = await sql<{ total: number; times: number; ids: string[] | null }>`
      with found as materialized (select event_id from ${countedSteps(ofSteps)} limit ${stepsAtMost + 1}),
        enough as (select count(*) <= ${stepsAtMost} as is_few from found),
        step as (select event_id, count(*) as times from found where (select is_few from enough) group by event_id),
        matched as materialized (
          select step.event_id, times, ${needsEvents ? sql`of_event.value` : sql`0`} as value from step
          ${needsEvents ? sql`cross join lateral (${event.select(value.as('value')).limit(1)}) as of_event` : sql``}
        )
      select count(*)::int as total, coalesce(sum(times), 0)::int as times,
        case when (select is_few from enough) then array(${this.#sorted(sql`matched`)}) end as ids from matched`.execute(
      this.#database.general,
    )
    const { total = 0, times = 0, ids = null } = rows[0] ?? {}
    return ids && { ids, total, times }
  }

  /** By the index of the order, from the page's place on. */
  async walkedIds(): Promise<readonly string[]> {
    const { general } = this.#database
    const needed = this.#offset + this.#asked.size + 1
    const ids: string[] = []
    for (const pieces of this.#walks()) {
      if (ids.length >= needed) break
      if (pieces.length === 0) continue
      const { rows } = await sql<{ event_id: string }>`
        select event_id from (${this.#together(pieces)}) every ${this.#inOrder} limit ${needed - ids.length}`.execute(general)
      ids.push(...rows.map(({ event_id }) => event_id))
    }
    return ids.slice(this.#offset)
  }

  /** Events raised in the range, and those raised before it and again since: each has an index. */
  #byTime(): readonly Events[] {
    const { from } = this.#filter
    const every = matchingEvents(this.#database, { ...this.#filter, from: null })
    const { first, last } = this.#among ?? {}
    const all =
      first === undefined || last === undefined ? every : every.where('event_id', '>=', first).where('event_id', '<=', last)
    if (from === null) return [all]
    const since = new Date(from)
    return [all.where('raised_at', '>=', since), all.where('raised_at', '<', since).where('raised_again_at', '>=', since)]
  }

  /**
   * Pieces that an index has in the order of the page, each as far as the page may need it: those of one member belong together, and before
   * those of the next. The indexes by priority hold when it was raised as well, so that a walk passes what is outside of a range.
   */
  #walks(): readonly (readonly RawBuilder<unknown>[])[] {
    const { from, to, kinds, counted } = this.#filter
    // What was counted is asked for by the priority that it was counted with.
    const only = counted ? null : this.#filter.priorities
    const keys = this.#keysApart()
    const isByPriority = this.#order === 'Priority'
    const isInRange = from !== null || to !== null
    if (!isByPriority && (this.#order !== 'EventID' || !(keys || isInRange)))
      return [this.#byTime().map((each) => this.#walk(each))]
    const apart = keys ? this.#apart('key', keys) : this.#apart('kind', isInRange ? null : kinds)
    const walked = mildestFirst.map((priority, i) => {
      const after = this.#placeIn(isByPriority ? i + 1 : 0)
      if (after === 'none' || only?.includes(priority) === false) return []
      return this.#byTime()
        .flatMap((each) => apart(each.where('priority', '=', priority)))
        .map((each) => this.#walk(each, after))
    })
    if (!isByPriority) return [walked.flat()]
    return this.#down ? walked.toReversed() : walked
  }

  #apart(column: 'key' | 'kind', values: readonly string[] | null): (events: Events) => readonly Events[] {
    if (!values) return (events) => [events]
    return (events) => [...new Set(values)].map((each) => events.where(sql<boolean>`${sql.ref(column)} = ${each}`))
  }

  /** Alarms that are all that is asked for, by name or by a text; null: others too, or too many. */
  #keysApart(): readonly string[] | null {
    const { keys, named } = this.#filter
    const byText =
      named && [named.projectIds, named.gatewayIds, named.deviceIds, named.lineIds].every(({ length }) => length === 0)
        ? named.keys
        : null
    const found = keys ?? byText
    return found && found.length > 0 && found.length <= keysApart ? found : null
  }

  /** From where on a priority is walked: from its beginning (null), from an event, or not at all. */
  #placeIn(value: number): string | null | 'none' {
    if (!this.#place) return null
    const ahead = (value - Number(this.#place.value)) * (this.#down ? -1 : 1)
    if (ahead < 0) return 'none'
    return ahead > 0 ? null : this.#place.id
  }

  /** `after`: the event to walk from, where all walked here are of one value. */
  #walk(events: Events, after?: string | null): RawBuilder<unknown> {
    const isOfOneValue = after !== undefined || this.#order === 'EventID'
    const id = after === undefined ? (this.#place?.id ?? null) : after
    let query = events
    if (isOfOneValue && id !== null) query = query.where('event_id', this.#beyond, id)
    if (!isOfOneValue && this.#place) query = query.where(this.#isBeyond(orders[this.#order].value, this.#place))
    let ordered = query.select('event_id').select(orders[this.#order].value.as('value'))
    if (!isOfOneValue) ordered = ordered.orderBy(orders[this.#order].value, this.#direction)
    return sql`${ordered.orderBy('event_id', this.#direction).limit(this.#offset + this.#asked.size + 1)}`
  }

  get #beyond() {
    return this.#down ? '<' : '>'
  }

  get #direction() {
    return this.#down ? 'desc' : 'asc'
  }

  get #inOrder() {
    const direction = sql.raw(this.#direction)
    return sql`order by value ${direction}, event_id ${direction}`
  }

  get #offset(): number {
    return (this.#asked.page - 1) * this.#asked.size
  }

  #isBeyond(value: RawBuilder<unknown>, { value: written, id }: Place) {
    return sql<boolean>`(${value}, event_id) ${sql.raw(this.#beyond)} (${orders[this.#order].read(written)}, ${id}::bigint)`
  }

  #columns(events: Events): RawBuilder<unknown> {
    return sql`${events.select('event_id').select(orders[this.#order].value.as('value'))}`
  }

  #together(queries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
    return sql.join(queries, sql` union all `)
  }

  /** A page of rows with `event_id` and `value`. */
  #sorted(from: RawBuilder<unknown>): RawBuilder<unknown> {
    const beyond = this.#place ? sql`where ${this.#isBeyond(sql.ref('value'), this.#place)}` : sql``
    return sql`select event_id from ${from} ${beyond} ${this.#inOrder} limit ${this.#asked.size + 1} offset ${this.#offset}`
  }
}
