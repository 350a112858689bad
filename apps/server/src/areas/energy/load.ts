import type { LoadAbout, listLoad, Reply, Request } from '@linewarden/contract'
import { loadHows } from '@linewarden/contract'
import { civilZone, dateText, parseDate, yearOf } from '@linewarden/rules/automation'
import type { HowCode, Load, LoadFigures, LoadPeriod, LoadQuarter, PublicCalendar } from '@linewarden/rules/energy'
import {
  demandW,
  durationCurve,
  heatOfDay,
  isPricedByWeekday,
  largestQuarters,
  loadDayTypeOf,
  loadFiguresOf,
  loadQuarters,
  loadRangeProblem,
  maxLoadDaysOf,
  slotsOfDay,
  startOfDay,
  typicalDays,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import { lineSince, profileSince, readProfile, readQuarters } from '../../store/energy/read.ts'
import { invalid, rangeTexts } from './asked.ts'
import { lineLoad, profileLoad } from './load-source.ts'
import { publicDaysIn } from './public-days.ts'
import type { Scope } from './scope.ts'
import { notOne, scopeOf } from './scope.ts'
import { boundaryOf } from './source.ts'
import { virtualParts, virtualSince, virtualSource } from './virtual-energy.ts'

export type Loads = ReturnType<typeof createLoads>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Asked = Request<typeof listLoad>['body']
type Row = Reply<typeof listLoad>['items'][number]

/** The largest quarters that are shown. */
const largestShown = 20

/** The load of a project, a gateway or a line: all of it is made of quarters and of nothing else. */
export function createLoads({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, asked: Asked): Promise<Reply<typeof listLoad>> {
      const now = clock()
      const { project, period, load, since, boundary } = await loadOf(actor, asked, now)
      const { timeZone } = project
      const { calendar } = await withRowSecurity(database, actor.scope, (db) => publicDaysIn(database, project, db))
      const quarters = loadQuarters(load)
      const items = rowsOf(asked.Kind, { load, quarters, period, calendar })
      const about = {
        ...{ Zone: timeZone, At: now, Since: since, Boundary: boundary },
        ...figuresReply(loadFiguresOf(load, quarters, period.zone)),
        WeekdayYears: weekdayYears(calendar, period),
      }
      return { items, total: items.length, about }
    },
  }

  async function loadOf(
    actor: Actor,
    asked: Asked,
    now: number,
  ): Promise<ReadLoad & Pick<Scope, 'project'> & { readonly period: LoadPeriod }> {
    if (asked.MeterID === undefined) {
      const scope = scopeOf(plant, actor, asked, 'body')
      const period = periodOf(scope, asked)
      return { project: scope.project, period, ...(await read(actor, scope, period, now)) }
    }
    const source = await virtualSource({ database, plant }, actor, asked.MeterID)
    if ([asked.HouseID, asked.DeviceID, asked.LineID].some((each) => each !== undefined)) throw notOne('body')
    const { project } = source
    const period = periodOf({ project }, asked)
    const [quarters] = await virtualParts({ database, plant }, actor, source, period.zone, [period])
    const since = await virtualSince({ database, plant }, actor, source, period.zone)
    return {
      project,
      period,
      since,
      boundary: 'virtual',
      load: lineLoad(quarters ?? { from: 0, wh: [], how: new Uint8Array(0) }, now),
    }
  }

  async function read(actor: Actor, { kind, id }: Scope, { zone, first, end }: LoadPeriod, now: number): Promise<ReadLoad> {
    const ask = linesSeenBy(database, actor.scope, kind === 'l' ? [id] : [])
    return ask(async (db) => {
      if (kind === 'l') {
        const quarters = await readQuarters(db, id, startOfDay(zone, first), startOfDay(zone, end))
        return { load: lineLoad(quarters, now), since: await lineSince(db, id), boundary: 'line' }
      }
      const days = await readProfile(db, { kind, id }, { first, end }, 'all')
      const since = await profileSince(db, { kind, id })
      return {
        load: profileLoad({ zone, first, end }, days, now),
        since: since === null ? null : startOfDay(zone, since),
        boundary: boundaryOf(days),
      }
    })
  }
}

interface ReadLoad {
  readonly load: Load
  readonly since: number | null
  readonly boundary: LoadAbout['Boundary']
}

function periodOf({ project }: Pick<Scope, 'project'>, { Kind, From, To }: Asked): LoadPeriod {
  const problem = loadRangeProblem(Kind, From, To)
  const [first, end] = [parseDate(From), parseDate(To)]
  if (problem === null && first !== null && end !== null) return { zone: civilZone(project.timeZone), first, end }
  const most = maxLoadDaysOf(Kind)
  throw invalid(
    'body.To',
    problem === 'tooManyDays'
      ? { zh: `最多 ${most} 天：请缩短时段`, en: `must be at most ${most} days after From` }
      : rangeTexts[problem ?? 'notDates'],
  )
}

interface Made {
  readonly load: Load
  readonly quarters: readonly LoadQuarter[]
  readonly period: LoadPeriod
  readonly calendar: PublicCalendar
}

function rowsOf(kind: Asked['Kind'], { load, quarters, period, calendar }: Made): Row[] {
  switch (kind) {
    case 'profile':
      return typicalDays(load, period, calendar).map(({ type, days, quarters: ofClock }) => ({
        ...{ DayType: type, Days: days },
        Quarters: ofClock.map(({ medianW, p10W, p90W, count }) => ({
          ...{ Median: kwOf(medianW), P10: kwOf(p10W), P90: kwOf(p90W), Count: count },
        })),
      }))
    case 'max':
      return largestQuarters(quarters, largestShown).map(({ at, w, how }) => ({ At: at, KW: w / 1_000, How: howWord(how) }))
    case 'duration':
      return durationCurve(quarters).map(({ perMille, w }) => ({ Share: perMille / 10, KW: w / 1_000 }))
    case 'heat':
      return heatRows(load, period, calendar)
    case 'quarters':
      return load.slots.map((at, index) => {
        const wh = load.wh[index] ?? null
        return { At: at, KW: wh === null ? null : demandW(wh) / 1_000, How: howWord(load.how[index] as HowCode) }
      })
  }
}

function heatRows(load: Load, period: LoadPeriod, calendar: PublicCalendar): Row[] {
  const rows: Row[] = []
  for (let day = period.first; day < period.end; day++) {
    // A date that the zone left out has no row.
    if (slotsOfDay(period.zone, day).length === 0) continue
    const cells = heatOfDay(load, period, day)
    rows.push({
      ...{ Day: dateText(day), DayType: loadDayTypeOf(calendar, day), KW: cells.map(({ meanW }) => kwOf(meanW)) },
      How: cells.map(({ how }) => (how === 'skipped' ? how : howWord(how))),
    })
  }
  return rows
}

const howWord = (how: HowCode) => loadHows[how]

/** kW to the W. */
const kwOf = (w: number | null): number | null => (w === null ? null : Math.round(w) / 1_000)

function figuresReply({
  leftOut,
  ...figures
}: LoadFigures): Omit<LoadAbout, 'Zone' | 'At' | 'Since' | 'Boundary' | 'WeekdayYears'> {
  const { maxW, minW, maxHow } = figures
  return {
    ...{ Quarters: figures.quarters, Estimated: figures.estimated },
    LeftOut: { Spread: leftOut.spread, Entered: leftOut.entered, Missing: leftOut.missing },
    ...{ Max: kwOf(maxW), MaxAt: figures.maxAt, Mean: kwOf(figures.meanW), Min: kwOf(minW) },
    MaxHow: maxHow === null ? null : howWord(maxHow) === 'estimated' ? 'estimated' : 'measured',
    ...{ LoadFactor: figures.loadFactor, FullLoadHours: figures.fullLoadHours },
    PeakValleyDifference: maxW === null || minW === null ? null : kwOf(maxW - minW),
    ...{ Base: kwOf(figures.baseW), BaseQuarters: figures.baseQuarters, Complete: figures.complete },
  }
}

/** The years of the period of which no public holiday is known. */
function weekdayYears(calendar: PublicCalendar, { first, end }: LoadPeriod): number[] {
  const days = [first, end - 1]
  return [...new Set(days.filter((day) => isPricedByWeekday(calendar, day)).map(yearOf))]
}
