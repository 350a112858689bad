import type { EnergyPicture, getEnergy, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { civilZone, parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod, RangeProblem } from '@linewarden/rules/energy'
import { comparedWith, dayOfSlot, monthStart, quarterOf, rangeProblem, sameMoment, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { LineQuarters, ProfileDay, ProfileScope } from '../../store/energy/read.ts'
import { lineSince, profileSince, readProfile, readQuarters } from '../../store/energy/read.ts'
import type { MonthScope, StoredMonth } from '../../store/energy/read-months.ts'
import { besideMonths, readMonths } from '../../store/energy/read-months.ts'
import type { Asked } from './picture.ts'
import { pictureOf } from './picture.ts'
import { lineAmounts, profileAmounts, withMonths } from './source.ts'

export type Energy = ReturnType<typeof createEnergy>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Query = Request<typeof getEnergy>['query']

/** Where the energy goes: any period of a project, a gateway or a line. */
export function createEnergy({ database, plant, clock }: Deps) {
  return {
    async read(actor: Actor, query: Query): Promise<Reply<typeof getEnergy>> {
      const scope = scopeOf(actor, query)
      const now = clock()
      const asked = askedOf(scope.project, query, now)
      const { kind, id } = scope
      const part = kind === 'l' ? await ofLine(actor, id, asked) : await ofProfile(actor, { kind, id }, asked)
      return { Zone: scope.project.timeZone, At: now, ...part }
    },
  }

  async function ofLine(actor: Actor, lineId: number, asked: Asked): Promise<Omit<EnergyPicture, 'Zone' | 'At'>> {
    const { zone, now } = asked
    const read = linesSeenBy(database, actor.scope, [lineId])
    return read(async (db) => {
      const months = await monthsOf(db, { kind: 'l', id: lineId }, asked)
      const parts: LineQuarters[] = []
      for (const { first, end } of besideMonths(periodsOf(asked), months))
        parts.push(await readQuarters(db, lineId, startOfDay(zone, first), startOfDay(zone, end)))
      const amounts = withMonths(zone, months, lineAmounts(parts, now))
      return { Since: await lineSince(db, lineId), Boundary: 'line', ...pictureOf(asked, amounts) }
    })
  }

  async function ofProfile(actor: Actor, scope: ProfileScope, asked: Asked): Promise<Omit<EnergyPicture, 'Zone' | 'At'>> {
    const { zone, now } = asked
    const read = linesSeenBy(database, actor.scope, [])
    const detailed = asked.unit === 'hour' ? 'all' : detailedOf(asked)
    return read(async (db) => {
      const months = await monthsOf(db, scope, asked)
      const days: ProfileDay[] = []
      for (const period of besideMonths(periodsOf(asked), months)) days.push(...(await readProfile(db, scope, period, detailed)))
      const since = await profileSince(db, scope)
      return {
        Since: since === null ? null : startOfDay(zone, since),
        Boundary: boundaryOf([...days, ...months.values()]),
        ...pictureOf(asked, withMonths(zone, months, profileAmounts(zone, days, now))),
      }
    })
  }

  /** Sums of whole months, for questions of months and years; but of those that a comparison up to this moment cuts. */
  async function monthsOf(db: Database, scope: MonthScope, asked: Asked): Promise<ReadonlyMap<number, StoredMonth>> {
    if (asked.unit === 'hour' || asked.unit === 'day') return new Map()
    const cut = new Set(detailedOf(asked).map(monthStart))
    const stored = await readMonths(db, scope, periodsOf(asked))
    return new Map([...stored].filter(([month]) => !cut.has(month)))
  }

  /** What is counted. Whatever is named must be seen, also where it is named beside another. */
  function scopeOf(actor: Actor, { HouseID, DeviceID, LineID }: Query): Scope {
    const scopes: Scope[] = []
    if (HouseID !== undefined) {
      const project = plant.projects.get(HouseID)
      if (!project || !actor.sees(project.id)) throw new Refusal('project not exists')
      scopes.push({ kind: 'p', id: HouseID, project })
    }
    if (DeviceID !== undefined) scopes.push({ kind: 'g', id: DeviceID, project: projectOf(actor, plant.gateways.get(DeviceID)) })
    if (LineID !== undefined)
      scopes.push({ kind: 'l', id: LineID, project: projectOf(actor, plant.lines.get(LineID)?.device.gateway) })
    const [scope] = scopes
    if (!scope || scopes.length > 1)
      throw invalid('query.HouseID', { zh: '请只选一个统计对象', en: 'Choose one thing to count: HouseID, DeviceID or LineID' })
    return scope
  }
}

/** A project, a gateway or a line, in the project whose clock counts. */
interface Scope {
  readonly kind: 'p' | 'g' | 'l'
  readonly id: number
  readonly project: PlantProject
}

function projectOf(actor: Actor, gateway: PlantGateway | undefined): PlantProject {
  if (!gateway || !actor.seesGateway(gateway)) throw new Refusal('device not exists')
  return gateway.project
}

const periodsOf = ({ first, end, compared }: Asked): readonly CivilPeriod[] =>
  compared ? [{ first, end }, compared] : [{ first, end }]

/** Days of which something is open, and those that a comparison up to this moment cuts. */
function detailedOf({ zone, first, end, compared, now }: Asked): readonly number[] {
  const today = dayOfSlot(zone, quarterOf(now))
  if (!compared) return [today - 1, today]
  const { until, comparedUntil } = sameMoment(zone, { first, end }, compared, now)
  return [today - 1, today, dayOfSlot(zone, quarterOf(until)), dayOfSlot(zone, quarterOf(comparedUntil))]
}

const boundaryOf = (rows: readonly Pick<ProfileDay, 'fed' | 'lines'>[]): EnergyPicture['Boundary'] => {
  if (rows.some(({ fed }) => fed)) return 'feed'
  return rows.some(({ lines }) => lines > 1) ? 'sum' : 'line'
}

function askedOf({ timeZone }: PlantProject, { Unit, From, To, Compare }: Query, now: number): Asked {
  const problem = rangeProblem(Unit, From, To)
  const [first, end] = [parseDate(From), parseDate(To)]
  if (problem !== null || first === null || end === null) throw invalid('query.To', rangeTexts[problem ?? 'notDates'])
  const compared = Compare === undefined ? null : comparedWith({ first, end }, Compare)
  return { zone: civilZone(timeZone), unit: Unit, first, end, compared, now }
}

const rangeTexts: Readonly<Record<RangeProblem, { readonly zh: string; readonly en: string }>> = {
  notDates: { zh: '请填写存在的日期，例如 2026-11-30', en: 'must be a date that exists, such as 2026-11-30' },
  endsBeforeStart: { zh: '开始应早于结束', en: 'must be after From' },
  tooLong: { zh: '跨度不超过 10 年', en: 'must be at most ten years after From' },
  tooManyBars: {
    zh: '最多 400 段：请缩短时段，或按更大的单位统计',
    en: 'makes more than 400 bars: shorten the range or take a larger unit',
  },
}

const invalid = (Path: string, Text: { readonly zh: string; readonly en: string }): Refusal =>
  new Refusal('invalid parameter', {}, [{ Path, Text }])
