import type { EnergyRow, Reply, Request, reportEnergy } from '@linewarden/contract'
import { maxReportDays, maxReportLines, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { civilZone, parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { monthStart, rangeProblem, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { readProfiles, readQuartersOf } from '../../store/energy/read.ts'
import type { StoredMonth } from '../../store/energy/read-months.ts'
import { besideMonths, readMonthsOf } from '../../store/energy/read-months.ts'
import { amountReply, emptySum } from './amount.ts'
import { comparedOf, detailedOf, invalid, periodsOf, rangeTexts } from './asked.ts'
import type { Asked } from './picture.ts'
import { comparedTotal } from './picture.ts'
import type { AmountBetween } from './source.ts'
import { boundaryOf, lineAmounts, profileAmounts, withMonths } from './source.ts'

/** Days of lines that are added up from their quarters: what no stored month holds. */
const maxLineDays = 30_000
const linesAtOnce = 20

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Body = Request<typeof reportEnergy>['body']

/** A project, a gateway or a line that has a row. */
interface Place {
  readonly kind: 'p' | 'g' | 'l'
  readonly id: number
  readonly name: string
  readonly project: PlantProject
  readonly gateway: PlantGateway | null
}

interface Measured {
  readonly boundary: EnergyRow['Boundary']
  readonly amounts: AmountBetween
}

export type EnergyReport = ReturnType<typeof createEnergyReport>

/** Energy of a period side by side. */
export function createEnergyReport({ database, plant, clock }: Deps) {
  return {
    async read(actor: Actor, body: Body): Promise<Reply<typeof reportEnergy>> {
      const now = clock()
      const places = placesOf(actor, body)
      const period = periodAsked(body)
      const compared = comparedOf(period, body.Compare)
      const rows: EnergyRow[] = []
      for (const [zone, own] of Map.groupBy(places, zoneOf)) {
        const asked: Asked = { zone: civilZone(zone), unit: 'month', ...period, compared, now }
        rows.push(...(await rowsOf(actor, own, asked)))
      }
      rows.sort(largestFirst)
      const { Page = 1, Size = 10 } = body
      const known = rows.flatMap(({ Wh }) => Wh ?? [])
      const about = {
        At: now,
        Wh: body.Rows === 'project' && known.length > 0 ? known.reduce((sum, each) => sum + each, 0) : null,
        Largest: rows[0]?.Wh ?? null,
        Lacking: rows.filter(({ LackingS, IsPart }) => LackingS > 0 || IsPart).length,
      }
      return { items: rows.slice((Page - 1) * Size, Page * Size), total: rows.length, about }
    },
  }

  async function rowsOf(actor: Actor, places: readonly Place[], asked: Asked): Promise<EnergyRow[]> {
    const known = places.filter(({ kind, project }) => kind !== 'p' || actor.sees(project.id))
    const measured = await measuredOf(database, actor, known, asked)
    return places.map((place) => rowOf(place, measured.get(place.id) ?? null, asked))
  }

  /** What the actor sees of what the rows are to be. Whatever is named must be seen, whatever else is wrong. */
  function placesOf(actor: Actor, { Rows, HouseIDs, DeviceID }: Body): readonly Place[] {
    const houses = HouseIDs?.map((id) => projectOf(actor, id))
    const named = DeviceID === undefined ? null : gatewayOf(actor, DeviceID)
    if (Rows === 'project') {
      if (named) throw invalid('body.DeviceID', oneTexts[Rows])
      const all = houses ?? [...plant.projects.values()].filter(({ id }) => actor.seesPart(id))
      return [...new Set(all)].map((project) => ({ kind: 'p', id: project.id, name: project.name, project, gateway: null }))
    }
    const [house, another] = houses ?? []
    if (another || (named ? house || Rows === 'gateway' : !house)) throw invalid('body.HouseIDs', oneTexts[Rows])
    const gateways = named
      ? [named]
      : [...plant.gateways.values()].filter((each) => each.project === house && actor.seesGateway(each))
    if (Rows === 'gateway')
      return gateways.map((gateway) => ({ kind: 'g', id: gateway.id, name: gateway.name, project: gateway.project, gateway }))
    const places = gateways.flatMap((gateway) =>
      linesBehind(gateway)
        // What a device reports by itself is no line.
        .filter(({ lineNo }) => lineNo > 0)
        .map(({ id, name }): Place => ({ kind: 'l', id, name, project: gateway.project, gateway })),
    )
    if (places.length > maxReportLines) throw invalid('body.Rows', manyLines)
    return places
  }

  function projectOf(actor: Actor, id: number): PlantProject {
    const project = plant.projects.get(id)
    if (!project || !actor.seesPart(id)) throw new Refusal('project not exists')
    return project
  }

  function gatewayOf(actor: Actor, id: number): PlantGateway {
    const gateway = plant.gateways.get(id)
    if (!gateway || !actor.seesGateway(gateway)) throw new Refusal('device not exists')
    return gateway
  }
}

/** The energy of places of one kind and one clock, by their ids. */
export async function measuredOf(
  database: Database,
  actor: Pick<Actor, 'scope'>,
  places: readonly Pick<Place, 'kind' | 'id'>[],
  asked: Asked,
): Promise<ReadonlyMap<number, Measured>> {
  const kind = places[0]?.kind
  if (kind === undefined) return new Map()
  const ids = places.map(({ id }) => id)
  const read = linesSeenBy(database, actor.scope, kind === 'l' ? ids : [])
  return read(async (db) => {
    const cut = new Set(detailedOf(asked).map(monthStart))
    // Bars of days and hours are parts of months.
    const isFine = asked.unit === 'hour' || asked.unit === 'day'
    const months = isFine
      ? new Map<number, ReadonlyMap<number, StoredMonth>>()
      : await readMonthsOf(db, kind, ids, periodsOf(asked))
    const whole = new Map(ids.map((id) => [id, new Map([...(months.get(id) ?? [])].filter(([month]) => !cut.has(month)))]))
    const beside = [...whole].flatMap(([id, stored]) =>
      besideMonths(periodsOf(asked), stored).map((period) => ({ id, ...period })),
    )
    return kind === 'l' ? ofLines(db, { whole, beside }, asked) : ofProfiles(db, kind, { whole, beside }, asked)
  })
}

const zoneOf = ({ project }: Place): string => project.timeZone

/** Of each id the months that count as a whole, and the dates beside them. */
interface Known {
  readonly whole: ReadonlyMap<number, ReadonlyMap<number, StoredMonth>>
  readonly beside: readonly (CivilPeriod & { readonly id: number })[]
}

async function ofProfiles(db: Database, kind: 'p' | 'g', { whole, beside }: Known, asked: Asked): Promise<Map<number, Measured>> {
  const { zone, now } = asked
  const days = await readProfiles(db, kind, beside, asked.unit === 'hour' ? 'all' : detailedOf(asked))
  return new Map(
    [...whole].map(([id, stored]) => {
      const own = days.get(id) ?? []
      const boundary = boundaryOf([...own, ...stored.values()])
      return [id, { boundary, amounts: withMonths(zone, stored, profileAmounts(zone, own, now)) }]
    }),
  )
}

async function ofLines(db: Database, { whole, beside }: Known, asked: Asked): Promise<Map<number, Measured>> {
  const { zone, now } = asked
  const stretches = beside.map(({ id, first, end }) => ({ lineId: id, from: startOfDay(zone, first), to: startOfDay(zone, end) }))
  const lineDays = stretches.reduce((sum, { from, to }) => sum + (to - from) / dayMs, 0)
  if (lineDays > maxLineDays) throw invalid('body.To', manyLineDays)
  const quarters: LineQuarters[] = []
  // In turns: whoever else asks is answered in between.
  for (let at = 0; at < stretches.length; at += linesAtOnce)
    quarters.push(...(await readQuartersOf(db, stretches.slice(at, at + linesAtOnce))))
  const parts = Map.groupBy(quarters.keys(), (place) => stretches[place]?.lineId ?? 0)
  return new Map(
    [...whole].map(([id, stored]) => {
      const own = (parts.get(id) ?? []).flatMap((place) => quarters[place] ?? [])
      return [id, { boundary: 'line', amounts: withMonths(zone, stored, lineAmounts(own, now)) }]
    }),
  )
}

function rowOf({ kind, id, name, project, gateway }: Place, measured: Measured | null, asked: Asked): EnergyRow {
  const { zone, first, end, compared } = asked
  const amount = measured?.amounts(startOfDay(zone, first), startOfDay(zone, end)) ?? emptySum()
  return {
    ...{ HouseID: project.id, DeviceID: gateway?.id ?? null, LineID: kind === 'l' ? id : null, Name: name },
    IsPart: measured === null,
    Boundary: measured?.boundary ?? 'line',
    ...amountReply(amount),
    Compared: measured && compared ? comparedTotal(asked, compared, measured.amounts) : null,
  }
}

/** What is not known comes last; what is alike in the order of its name. */
const largestFirst = (one: EnergyRow, other: EnergyRow): number =>
  (other.Wh ?? -1) - (one.Wh ?? -1) || one.Name.localeCompare(other.Name, 'zh', { numeric: true })

function periodAsked({ From, To }: Body): { readonly first: number; readonly end: number } {
  const problem = rangeProblem('year', From, To)
  const [first, end] = [parseDate(From), parseDate(To)]
  if (first === null || end === null || problem === 'notDates') throw invalid('body.To', rangeTexts.notDates)
  if (problem === 'endsBeforeStart') throw invalid('body.To', rangeTexts.endsBeforeStart)
  if (problem !== null || end - first > maxReportDays) throw invalid('body.To', tooManyDays)
  return { first, end }
}

const tooManyDays = { zh: `最多 ${maxReportDays} 天`, en: `must be at most ${maxReportDays} dates after From` }
const manyLines = {
  zh: `线路超过 ${maxReportLines} 条，请选择单个网关`,
  en: `There are more than ${maxReportLines} lines: ask for the gateways, or for one gateway`,
}
const manyLineDays = {
  zh: '线路较多，请缩短时段、不作对比，或选择单个网关',
  en: 'is too far from From for so many lines: shorten the range, compare with nothing, or ask for one gateway',
}
const oneTexts = {
  project: { zh: '各项目对比不能指定网关', en: 'Projects are compared as a whole: leave DeviceID out' },
  gateway: { zh: '请选择一个项目', en: 'Choose one project' },
  line: { zh: '请选择一个项目或一个网关', en: 'Choose one project or one gateway' },
} as const
