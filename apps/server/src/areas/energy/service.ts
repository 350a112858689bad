import type { getEnergy, Reply } from '@linewarden/contract'
import { monthStart, startOfDay } from '@linewarden/rules/energy'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { LineQuarters, ProfileDay, ProfileScope } from '../../store/energy/read.ts'
import { lineSince, profileSince, readProfile, readQuarters } from '../../store/energy/read.ts'
import type { MonthScope, StoredMonth } from '../../store/energy/read-months.ts'
import { besideMonths, readMonths } from '../../store/energy/read-months.ts'
import type { EnergyQuery } from './asked.ts'
import { askedOf, byTexts, detailedOf, invalid, periodsOf } from './asked.ts'
import { withCarbon } from './carbon.ts'
import { energyChildren } from './energy-children.ts'
import { energyOfGroup } from './group-energy.ts'
import type { Asked, WithoutCarbon } from './picture.ts'
import { pictureOf } from './picture.ts'
import type { Reader } from './scope.ts'
import { notOne, scopeOf } from './scope.ts'
import { boundaryOf, lineAmounts, profileAmounts, withMonths } from './source.ts'
import { createSupplyEnergy } from './supply-energy.ts'
import { virtualParts, virtualSince, virtualSource } from './virtual-energy.ts'

export type Energy = ReturnType<typeof createEnergy>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Where the energy goes: any period of a project, a gateway, a line or a supply. */
export function createEnergy({ database, plant, clock }: Deps) {
  const ofSupply = createSupplyEnergy({ database, plant, clock })
  return {
    async read(actor: Reader, query: EnergyQuery): Promise<Reply<typeof getEnergy>> {
      const { CityID, SupplyID, MeterID, By } = query
      if (CityID !== undefined) return energyOfGroup({ database, plant, clock }, actor, { ...query, CityID })
      if (SupplyID !== undefined) {
        if ([query.HouseID, query.DeviceID, query.LineID, MeterID].some((each) => each !== undefined)) throw notOne()
        if (By === 'child') throw invalid('query.By', byTexts)
        const { project, picture } = await ofSupply.read(actor, { ...query, SupplyID })
        return withCarbon(database, project, picture)
      }
      if (By === 'band' || (By === 'child' && MeterID !== undefined)) throw invalid('query.By', byTexts)
      if (MeterID !== undefined) return ofVirtual(actor, { ...query, MeterID })
      const scope = scopeOf(plant, actor, query)
      const now = clock()
      const asked = askedOf(scope.project, query, now)
      const { kind, id } = scope
      const part = kind === 'l' ? await ofLine(actor, id, asked) : await ofProfile(actor, { kind, id }, asked)
      const picture = await withCarbon(database, scope.project, { Zone: scope.project.timeZone, At: now, ...part })
      return By === 'child' ? { ...picture, Children: await energyChildren({ database, plant }, actor, scope, asked) } : picture
    },
  }

  async function ofLine(actor: Reader, lineId: number, asked: Asked): Promise<Omit<WithoutCarbon, 'Zone' | 'At'>> {
    const { zone, now } = asked
    const read = linesSeenBy(database, actor.scope, [lineId])
    return read(async (db) => {
      const months = await monthsOf(db, { kind: 'l', id: lineId }, asked)
      const parts: LineQuarters[] = []
      for (const { first, end } of besideMonths(periodsOf(asked), months))
        parts.push(await readQuarters(db, lineId, startOfDay(zone, first), startOfDay(zone, end)))
      const amounts = withMonths(zone, months, lineAmounts(parts, now))
      return { Since: await lineSince(db, lineId), Boundary: 'line', Pricing: null, ...pictureOf(asked, amounts) }
    })
  }

  async function ofVirtual(actor: Reader, query: EnergyQuery & { readonly MeterID: number }): Promise<Reply<typeof getEnergy>> {
    const source = await virtualSource({ database, plant }, actor, query.MeterID)
    if ([query.HouseID, query.DeviceID, query.LineID].some((each) => each !== undefined)) throw notOne()
    const now = clock()
    const asked = askedOf(source.project, query, now)
    const parts = await virtualParts({ database, plant }, actor, source, asked.zone, periodsOf(asked))
    return withCarbon(database, source.project, {
      ...{ Zone: source.project.timeZone, At: now, Boundary: 'virtual' as const, Pricing: null },
      Since: await virtualSince({ database, plant }, actor, source, asked.zone),
      ...pictureOf(asked, lineAmounts(parts, now)),
    })
  }

  async function ofProfile(actor: Reader, scope: ProfileScope, asked: Asked): Promise<Omit<WithoutCarbon, 'Zone' | 'At'>> {
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
        Pricing: null,
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
}
