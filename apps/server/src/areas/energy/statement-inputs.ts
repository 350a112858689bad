import type { CivilDay } from '@linewarden/rules/automation'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { CivilPeriod, Engine1Member, Engine2Inputs, Engine2Version, RegisterAt } from '@linewarden/rules/energy'
import {
  billingPeriod,
  clockQuarterOf,
  dayTypeOf,
  How,
  isPricedByWeekday,
  quarterMs,
  quartersOfClock,
  slotsOfDay,
  startOfDay,
  tariffOn,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import { countedHours } from '../../store/energy/counted-hours.ts'
import { metersOf } from '../../store/energy/meters.ts'
import { findPowerFactor } from '../../store/energy/power-factor.ts'
import { readQuarters } from '../../store/energy/read.ts'
import { registersAt } from '../../store/energy/registers.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { readVersions } from '../../store/energy/tariff.ts'
import type { MeterRegisters } from './line-registers.ts'
import { registersOf } from './line-registers.ts'
import { powerFactorRecord } from './power-factors.ts'
import { minorDigitsOf, pricesFor, seriesOf } from './pricing.ts'
import type { SupplySource } from './supply-source.ts'
import { billedPart } from './supply-source.ts'

/** A version as it is frozen: what it is called, and what was sealed. */
export interface FrozenVersion {
  readonly versionId: number
  readonly tariff: string
  readonly number: number
  readonly sha256: string | null
  readonly sealed: Engine2Version & { readonly From: string; readonly Source: string }
}

/** A line as it is frozen: how it was called, and the readings by which its registers are known. */
export interface FrozenMember extends Engine1Member {
  readonly line: string | null
  readonly place: string | null
  readonly readings: { readonly opening: RegisterAt; readonly closing: RegisterAt } | null
  /** Its meters one after the other, as they are printed; left out: none is entered, and what the register shows is what was used. */
  readonly meters?: readonly MeterRegisters[]
}

/** All that a statement is made of. What is not reckoned with is printed. */
export interface StatementInputs extends Engine2Inputs {
  readonly zone: string
  readonly currency: string | null
  readonly project: { readonly id: number; readonly name: string }
  readonly supply: {
    readonly id: number
    readonly name: string
    readonly accountNo: string
    readonly billingDay: number
    readonly version: number
  }
  /** As it was typed for the period; null: it was not. */
  readonly powerFactor: {
    readonly cosHundredths: number | null
    readonly activeWh: number | null
    readonly reactiveVarh: number | null
    readonly source: string
    readonly typedAt: number
  } | null
  readonly month: string
  /** The billing period, the last date not included. */
  readonly period: { readonly from: string; readonly to: string }
  readonly byWeekday: boolean
  readonly versions: readonly FrozenVersion[]
  readonly members: readonly FrozenMember[]
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** The billing period that begins in a month. */
export const periodOfMonth = (month: CivilDay, supply: Pick<SupplyRow, 'billing_day'>): CivilPeriod =>
  billingPeriod(month, supply.billing_day)

/** Reads what a statement of a supply's period is made of, as somebody. */
export async function statementInputs(
  deps: Deps,
  actor: Actor,
  source: SupplySource,
  { month, estimate }: { readonly month: CivilDay; readonly estimate: boolean },
): Promise<StatementInputs> {
  const { supply, project, zone, period, tariffs, currencies } = source
  const billed = billedPart(supply, period)
  const days = Array.from({ length: billed.end - billed.first }, (_, index) => billed.first + index)
  const idOn = days.map((day) => source.versionOn(supply, day)?.id ?? null)
  const ids = [...new Set(idOn.filter((each) => each !== null))]
  const stretch = { from: startOfDay(zone, billed.first), to: startOfDay(zone, billed.end) }
  const { rows, factor, series } = await withRowSecurity(deps.database, actor.scope, async (db) => ({
    rows: await readVersions(db.general, ids),
    factor: await findPowerFactor(db.general, supply.supply_id, month),
    series: await seriesOf(db, supply, stretch),
  }))
  const pricesOn = (day: CivilDay) => {
    const [from, to] = [day, day + 1].map((each) => (startOfDay(zone, each) - stretch.from) / quarterMs) as [number, number]
    return pricesFor(source.versionOn(supply, day), tariffOn(supply.tariffs, day), series, [from, to])
  }
  const typed = factor ? powerFactorRecord(factor, false) : null
  const versions = ids.flatMap((id) => rows.find(({ version_id }) => version_id === id) ?? [])
  const { holidays } = source
  const currency = currencies.length === 1 ? (currencies[0] ?? null) : null
  return {
    ...{ zone: project.timeZone, currency, minorDigits: currency === null ? 2 : minorDigitsOf(currency), estimate },
    project: { id: project.id, name: project.name },
    supply: {
      ...{ id: supply.supply_id, name: supply.name, accountNo: supply.account_no, billingDay: supply.billing_day },
      version: supply.version,
    },
    ...{ stepWh: supply.energy_step_wh, capacityVa: supply.capacity_va, declaredW: supply.declared_w },
    ...{ powerFactorStandard: supply.pf_standard, cosHundredths: typed?.Cos ?? null },
    powerFactor: typed && {
      ...{ cosHundredths: typed.CosHundredths, activeWh: typed.ActiveWh, reactiveVarh: typed.ReactiveVarh },
      ...{ source: typed.Source, typedAt: typed.TypedAt },
    },
    ...{ month: dateText(month).slice(0, 7), period: { from: dateText(period.first), to: dateText(period.end) } },
    isWholePeriod: billed.first === period.first && billed.end === period.end,
    start: startOfDay(zone, billed.first),
    byWeekday: days.some((day) => isPricedByWeekday(holidays, day)),
    days: days.map((day, index) => ({
      ...{ date: dateText(day), type: dayTypeOf(holidays, day), clock: clockOf(project, day) },
      version: idOn[index] == null ? null : versions.findIndex(({ version_id }) => version_id === idOn[index]),
      prices: pricesOn(day)?.map((price) => (price === null ? null : String(price))) ?? null,
    })),
    versions: versions.map((row) => ({
      ...{ versionId: row.version_id, number: row.number, sha256: row.sha256, sealed: JSON.parse(row.canonical ?? '{}') },
      tariff: tariffs.find(({ tariff_id }) => tariff_id === row.tariff_id)?.name ?? '',
    })),
    members: await membersOf(deps, actor, source, billed),
  }
}

/** Which quarters the clock shows; null: each of the 96 once. */
function clockOf({ timeZone }: PlantProject, day: CivilDay): readonly number[] | null {
  const zone = civilZone(timeZone)
  const clock = slotsOfDay(zone, day).map((slot) => clockQuarterOf(zone, slot))
  return clock.length === quartersOfClock && clock.every((quarter, index) => quarter === index) ? null : clock
}

async function membersOf(
  { database, plant }: Deps,
  actor: Actor,
  { supply, project, zone }: SupplySource,
  { first, end }: CivilPeriod,
): Promise<readonly FrozenMember[]> {
  const [from, to] = [startOfDay(zone, first), startOfDay(zone, end)]
  const lineOf = (lineId: number): PlantLine | null => {
    const line = plant.lines.get(lineId)
    return line?.device.gateway.project === project ? line : null
  }
  const ids = supply.members.flatMap(({ lineId }) => (lineOf(lineId) ? lineId : []))
  const read = linesSeenBy(database, actor.scope, ids)
  const registers = await read((db) => registersAt(db, ids, [from, to]))
  const meters = await read((db) => metersOf(db.general, ids))
  const members: FrozenMember[] = []
  for (const { lineId, sign } of supply.members) {
    const line = lineOf(lineId)
    const count = (to - from) / quarterMs
    // One line after the other, so that others have their turn; and a quarter to each side, which says whether a silence goes on there.
    const own = line ? await read((db) => readQuarters(db, lineId, from - quarterMs, to + quarterMs)) : null
    const [opening, closing] = registers.get(lineId) ?? []
    const counted = line && { lineId, periodMs: reportingPeriodOf(line.device) }
    const joints = counted && own?.how.includes(How.spread) ? await read((db) => countedHours(db, counted, from, to)) : null
    const howOf = (index: number) =>
      own?.how[index] === How.spread && joints?.has(from + (index - 1) * quarterMs) ? '7' : String(own?.how[index] ?? 4)
    members.push({
      ...{ lineId, sign, line: line?.name ?? null, place: line && `${line.device.gateway.name} · ${line.device.name}` },
      ...registersOf(meters.get(lineId) ?? [], {
        from,
        to,
        opening,
        closing,
        periodMs: line ? reportingPeriodOf(line.device) : 0,
      }),
      readings: opening && closing ? { opening, closing } : null,
      wh: own ? own.wh.slice(1, count + 1) : new Array<null>(count).fill(null),
      how: Array.from({ length: count }, (_, index) => howOf(index + 1)).join(''),
      ...{ howBefore: howOf(0), howAfter: howOf(count + 1) },
    })
  }
  return members
}
