import type { ZoneClock } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { dayMs, minuteMs } from '@linewarden/equipment'
import { lineKind } from '@linewarden/rules/warning'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredEvent } from '../../store/alarm/event-write.ts'
import type { Database } from '../../store/core/database.ts'
import { isDatabaseAway } from '../../store/core/database-away.ts'
import { hoursOf, openingsIn, positionsOf, testsIn, voltagesOf } from '../../store/warning/day-source.ts'
import { writeDayHours, writeDays } from '../../store/warning/day-write.ts'
import type { DueDay } from '../../store/warning/due-day.ts'
import { beginEvaluating, dueDays, endEvaluating, hoursAreDue, noteFinishedDays, takeDue } from '../../store/warning/due-day.ts'
import { makeDay, stretchOf } from './day-maker.ts'
import { evaluateLines } from './evaluation.ts'
import { showFindings } from './finding-draft.ts'
import type { RulesInForce } from './rules-in-force.ts'

export interface NightlyDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  /** Unix ms. */
  readonly clock: () => number
  readonly log: Logger
  readonly rules: RulesInForce
}

/** What the looks of nights need: whom they publish to may be nobody. */
type LookDeps = Omit<NightlyDeps, 'hub'> & { readonly hub: Pick<Hub, 'publish'> }

const everyMs = minuteMs
/** Lines of one transaction. */
const mostLines = 500
/** One look at everything that is due. */
interface Look {
  readonly now: number
  /** Lines that cannot be evaluated, and why. */
  readonly failed: Map<number, unknown>
  readonly stored: StoredEvent[]
}

/** After a day has ended, its last hour is still to be rolled up. */
const settledMs = 10 * minuteMs

/**
 * Makes the features of lines that are due and evaluates them: at night every line on the day that has ended, and at any time what comes
 * late. On a connection of its own, on one server at a time; what is interrupted is as due as it was.
 */
export class Nightly {
  readonly #deps: LookDeps
  readonly #clocks = new Map<string, ZoneClock>()
  readonly #looking: Loop
  /** The lines of the transaction that is under way. */
  #taken: readonly number[] = []
  #closed = false

  constructor(deps: LookDeps) {
    this.#deps = deps
    this.#looking = new Loop(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'lines could not be evaluated for early warning; it is tried again',
      spaced: true,
      unref: true,
    })
  }

  start(): void {
    this.#looking.start()
  }

  /** Evaluates everything that is due; runs by itself every minute. */
  readonly look = (): Promise<void> => this.#looking.tick()

  close(): Promise<void> {
    this.#closed = true
    return this.#looking.close()
  }

  async #look(): Promise<void> {
    const { database, plant, clock } = this.#deps
    const now = clock()
    const client = await database.connect()
    try {
      const finished = [...plant.projects.values()].map(({ id, timeZone }) => ({
        projectId: id,
        day: this.#finishedDay(timeZone, now),
      }))
      await noteFinishedDays(client, finished)
      await this.evaluateDue(client, now)
    } finally {
      await client.end()
    }
  }

  /** Evaluates, on a connection of the caller's, every due day that is over by `now`. Answers what was stored of that, in order. */
  async evaluateDue(client: pg.Client, now: number): Promise<readonly StoredEvent[]> {
    const look: Look = { now, failed: new Map(), stored: [] }
    for (const due of await dueDays(client)) if (!(await this.#evaluateDay(client, due, look))) break
    const [first] = look.failed
    if (first) throw new Error(`lines that are left due: ${look.failed.size}; the first is ${first[0]}`, { cause: first[1] })
    return look.stored
  }

  /**
   * Halves the lines until one that cannot be evaluated stands alone: this look leaves it out from that day on, and it stays due. False: the
   * next day must wait, because a line is evaluated day after day, and another server has some of this one under way.
   */
  async #evaluateDay(client: pg.Client, due: DueDay, look: Look): Promise<boolean> {
    const { failed } = look
    for (let most = mostLines; !this.#closed; ) {
      this.#taken = []
      try {
        const done = await this.#evaluate(client, due, look, { most, except: [...failed.keys()] })
        if (done !== 'some') return done === 'nothing'
        most = Math.min(mostLines, most * 2)
      } catch (error) {
        const [line] = this.#taken
        if (line === undefined || isDatabaseAway(error)) throw error
        if (this.#taken.length === 1) failed.set(line, error)
        most = Math.ceil(this.#taken.length / 2)
      }
    }
    return false
  }

  /** Evaluates some of the lines of a day, in one transaction. `nothing`: nothing is left to do, or not yet. `busy`: another server does it. */
  async #evaluate(
    client: pg.Client,
    due: DueDay,
    { now, stored }: Look,
    which: { readonly most: number; readonly except: readonly number[] },
  ): Promise<'some' | 'nothing' | 'busy'> {
    const { timeZone, day } = due
    if (day > this.#finishedDay(timeZone, now)) return 'nothing'
    const clock = this.#clockOf(timeZone)
    const stretch = stretchOf(day, clock.moment)
    if (await hoursAreDue(client, stretch.begins, stretch.ends)) return 'nothing'
    if (!(await beginEvaluating(client))) return 'busy'
    try {
      const lineIds = await takeDue(client, due, which)
      this.#taken = lineIds
      if (lineIds.length === 0) {
        await endEvaluating(client, 'rollback')
        return 'nothing'
      }
      const lines = lineIds.flatMap((id) => this.#deps.plant.lines.get(id) ?? [])
      await this.#makeDays(client, lines, due, now)
      const finished = this.#finishedDay(timeZone, now)
      const announced = await evaluateLines(client, lines, { day, clock, now, finished }, this.#deps)
      await endEvaluating(client, 'commit')
      stored.push(...announced.stored)
      showFindings(this.#deps, announced)
      return 'some'
    } catch (error) {
      await endEvaluating(client, 'rollback').catch(() => {})
      throw error
    }
  }

  async #makeDays(client: pg.Client, lines: readonly PlantLine[], { day, timeZone }: DueDay, now: number): Promise<void> {
    const clock = this.#clockOf(timeZone)
    const stretch = stretchOf(day, clock.moment)
    const ids = lines.map(({ id }) => id)
    const hours = await hoursOf(client, ids, stretch)
    const voltages = await voltagesOf(client, ids, stretch)
    const positions = await positionsOf(client, ids, stretch)
    const openings = Map.groupBy(await openingsIn(client, ids, stretch), ({ lineId }) => lineId)
    const tests = await testsIn(client, ids, stretch)
    const local = {
      ...stretch,
      day,
      localHour: (hour: number) => Math.floor((clock.local(hour * 3_600_000) % dayMs) / 3_600_000),
    }
    const made = lines.map((line) =>
      makeDay(
        line,
        lineKind({ ...line.device, ratedCurrentA: line.ratedCurrentA, reported: line.reported }),
        {
          hours: hours.get(line.id) ?? [],
          voltages: voltages.get(line.id) ?? [],
          position: positions.get(line.id) ?? { first: null, moves: [] },
          openings: openings.get(line.id) ?? [],
          tripMs: (tests.get(line.id) ?? []).map(({ tripMs }) => tripMs),
        },
        local,
      ),
    )
    await writeDays(
      client,
      made.map(({ row }) => row),
      now,
    )
    await writeDayHours(
      client,
      made.flatMap((each) => each.hours ?? []),
    )
  }

  #finishedDay(timeZone: string, now: number): number {
    return Math.floor(this.#clockOf(timeZone).local(now - settledMs) / dayMs) - 1
  }

  #clockOf(timeZone: string): ZoneClock {
    const known = this.#clocks.get(timeZone)
    if (known) return known
    const made = zoneClock(timeZone)
    this.#clocks.set(timeZone, made)
    return made
  }
}
