import type { TariffContent } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { billingPeriod, evenStrip, monthStart, painted } from '@linewarden/rules/energy'
import type { Server } from '@linewarden/server/compose'
import type { ProjectPlan } from '@linewarden/simulator'
import type { Actor } from '../../apps/server/src/access/actor.ts'
import { createBudgets } from '../../apps/server/src/areas/energy/budgets.ts'
import { createPowerFactors } from '../../apps/server/src/areas/energy/power-factors.ts'
import { createPrices } from '../../apps/server/src/areas/energy/prices.ts'
import { createEnergy } from '../../apps/server/src/areas/energy/service.ts'
import { createSupplies } from '../../apps/server/src/areas/energy/supplies.ts'
import { createTariffs } from '../../apps/server/src/areas/energy/tariffs.ts'
import type { PlantProject } from '../../apps/server/src/plant/plant.ts'
import { tariffsOf } from '../../apps/server/src/store/energy/tariff.ts'

/** The five bands of a tariff, by their places. */
const [sharp, peak, flat, valley, deepValley] = [0, 1, 2, 3, 4]

/** A day from the clock's quarters, flat between what is painted. */
const dayOf = (...runs: readonly (readonly [fromHour: number, toHour: number, band: number])[]) =>
  runs.reduce((strip, [from, to, band]) => painted(strip, from * 4, to * 4, band), evenStrip(flat))

const workday = dayOf([0, 6, valley], [8.5, 11.5, peak], [14, 16, peak], [16, 18, sharp], [23, 24, valley])
const weekend = dayOf([0, 7, valley], [23, 24, valley])
const days = {
  ...{ workday, makeUpWorkday: workday, saturday: weekend, sunday: weekend },
  holiday: dayOf([0, 8, valley], [11, 14, deepValley]),
}
const evening = dayOf([0, 6, valley], [8.5, 11.5, peak], [17, 20, sharp], [23, 24, valley])

const perKwh = (Key: string, price: string, more: Partial<TariffContent['Components'][number]> = {}) => ({
  ...{ Key, Basis: 'kwh' as const, Prices: [price], Of: [], InPowerFactorBase: true, GovernmentFund: false, ...more },
})

/** No province's: whoever looks at the demo is told that it is none. */
const version = (From: string, purchase: readonly string[]): TariffContent => ({
  ...{ From, To: null, Source: '演示电价，不是任何省份的价目', Bands: ['sharp', 'peak', 'flat', 'valley', 'deepValley'] },
  Seasons: [
    { Name: '冬季', From: '12-01', To: '02-29', Days: { ...days, workday: evening, makeUpWorkday: evening } },
    { Name: '其他', From: '03-01', To: '11-30', Days: days },
  ],
  Components: [
    { Key: 'purchase', Basis: 'kwhByBand', Prices: [...purchase], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    ...[perKwh('losses', '0.0186'), perKwh('network', '0.1357'), perKwh('system', '0.0364')],
    perKwh('funds', '0.0293', { InPowerFactorBase: false, GovernmentFund: true }),
    { Key: 'demand', Basis: 'kwDemand', Prices: ['40.8'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
  ],
  DemandRule: { Base: 'actual', Over: null, FloorPercent: null, Discount: null },
  PowerFactorStandard: 90,
})

/** What the utility bills of the demo's first project, by its lines. One is read on a day of the month so that a period is over of which all is known. */
const supplies = [
  {
    ...{ name: '办公楼', account: '3301 0045 7712', kva: 630, isOver: true },
    lines: [1, 2, 3, 4, 5].map((floor) => [`BJ0${floor}-T1`, 1] as const),
  },
  {
    ...{ name: '制冷机房', account: '3301 0045 7713', kva: 800, isOver: false },
    lines: [...[1, 2, 3, 4, 5].map((n) => ['BJ06-T1', n] as const), ...[1, 2, 3, 4, 5, 6].map((n) => ['BJ06-S1', n] as const)],
  },
]

/**
 * Gives the first project of the demo two supplies and a tariff with a new version from the 16th of a month, so that its energy has a cost.
 * `since`: from when on there is energy, Unix ms. One that is there already stays.
 */
export async function addCosts(server: Server, plan: readonly ProjectPlan[], actor: Actor, since: number): Promise<void> {
  const { database, plant } = server
  const project = [...plant.projects.values()].find(({ name }) => name === plan[0]?.name)
  if (!project || (await tariffsOf(database.general, project.id)).length > 0) return
  const clock = Date.now
  const tariffs = createTariffs({ database, clock })
  const { TariffID } = await tariffs.insert(actor, project, { HouseID: project.id, Name: '工商业两部制 1–10 kV' })
  const publish = async (content: TariffContent) => {
    const draft = await tariffs.saveDraft(actor, project, { HouseID: project.id, TariffID, Version: 0, Content: content })
    if (!draft) throw new Error('the draft is there')
    const { VersionID, Version } = draft.Head
    await tariffs.publish(actor, project, { HouseID: project.id, VersionID, Version })
  }
  const [first, changed] = datesOf(since, clock())
  await publish(version(dateText(monthStart(first)), ['1.2000', '0.9100', '0.5000', '0.1400', '0.0600']))
  await publish(version(dateText(changed), ['1.1600', '0.8800', '0.4850', '0.1500', '0.0700']))
  const spot = await addSpot(server, project, actor, first)
  await addSupplies(server, project, actor, {
    TariffID,
    from: dateText(first),
    spot: { TariffID: spot, from: dateText(changed) },
  })
  const [office] = (await createSupplies({ database, plant, clock }).list(actor, project)).items
  const budgets = createBudgets({ database, plant, clock })
  if (!office) return
  const monthly = { Name: '办公楼每月电费', Period: 'month' as const, Kind: 'money' as const, Thresholds: [80, 100] }
  const Amount = await monthlyFen(server, project, actor, { SupplyID: office.SupplyID, first })
  await budgets.save(actor, project, {
    HouseID: project.id,
    Version: 0,
    Budget: { ...monthly, SupplyID: office.SupplyID, Amount },
  })
}

const daysOfMonth = 30.4
/** Where nothing has a price yet, yuan. */
const usualYuan = 150_000

/** A little more than a month of its last four weeks costs, whole thousands of yuan. */
async function monthlyFen(
  { database, plant }: Server,
  project: PlantProject,
  actor: Actor,
  { SupplyID, first }: { readonly SupplyID: number; readonly first: number },
): Promise<number> {
  const today = civilZone(project.timeZone).dayAt(Date.now())
  const From = Math.max(first, today - 28)
  if (From >= today) return usualYuan * 100
  const energy = createEnergy({ database, plant, clock: Date.now })
  const asked = { SupplyID, Unit: 'day', From: dateText(From), To: dateText(today), By: 'band' } as const
  const { LengthS, LackingS, Cost } = (await energy.read(actor, asked)).Total
  const knownDays = (LengthS - LackingS) / 86_400
  if (Cost?.KnownFee == null || knownDays <= 0) return usualYuan * 100
  return Math.ceil(((Number(Cost.KnownFee) / knownDays) * daysOfMonth * 1.04) / 1_000) * 100_000
}

/** A tariff by the quarter: cheap nights, dear evenings, and noons on which there is more than anybody wants. */
async function addSpot({ database }: Server, project: PlantProject, actor: Actor, first: number): Promise<number> {
  const clock = Date.now
  const tariffs = createTariffs({ database, clock })
  const { TariffID } = await tariffs.insert(actor, project, { HouseID: project.id, Name: '现货合同（演示）' })
  const even = {
    ...days,
    workday: evenStrip(0),
    makeUpWorkday: evenStrip(0),
    saturday: evenStrip(0),
    sunday: evenStrip(0),
    holiday: evenStrip(0),
  }
  const content: TariffContent = {
    ...{ From: dateText(monthStart(first)), To: null, Source: '演示价格，不是任何市场的', Bands: ['flat'] },
    Seasons: [{ Name: '全年', From: '01-01', To: '12-31', Days: even }],
    Components: [
      { Key: 'spot', Basis: 'kwhBySeries', Prices: [], Of: [], InPowerFactorBase: true, GovernmentFund: false },
      ...[perKwh('network', '0.1357'), perKwh('funds', '0.0293', { InPowerFactorBase: false, GovernmentFund: true })],
    ],
    ...{ DemandRule: null, PowerFactorStandard: null },
  }
  const draft = await tariffs.saveDraft(actor, project, { HouseID: project.id, TariffID, Version: 0, Content: content })
  const { VersionID = 0, Version = 0 } = draft?.Head ?? {}
  await tariffs.publish(actor, project, { HouseID: project.id, VersionID, Version })
  const [from, to] = [first * dayMs, (Math.floor(clock() / dayMs) + 1) * dayMs]
  const lines: string[] = []
  for (let at = from; at < to; at += hourMs) lines.push(`${new Date(at).toISOString()},${spotPrice(at)}`)
  await createPrices({ database, clock }).import(actor, project, {
    ...{ HouseID: project.id, TariffID, DryRun: false, Per: 'MWh' as const, Source: content.Source, Text: lines.join('\n') },
  })
  return TariffID
}

/** Per MWh, by the hour of Shanghai and the date: on every fifth date noon is below nought. */
function spotPrice(at: number): string {
  const [hour, day] = [(Math.floor(at / hourMs) + 8) % 24, Math.floor((at / hourMs + 8) / 24)]
  const base = hour < 7 ? 180 : hour >= 11 && hour < 15 ? (day % 5 === 0 ? -30 : 140) : hour >= 17 && hour < 21 ? 620 : 410
  return (base + ((day * 37 + hour * 11) % 40)).toFixed(1)
}

/** The first whole day of energy, and the last 16th that a few days of it lie behind. */
function datesOf(since: number, now: number): readonly [first: number, changed: number] {
  const today = Math.floor(now / dayMs)
  const ofMonth = monthStart(today) + 15
  const changed = today - ofMonth >= 5 ? ofMonth : monthStart(monthStart(today) - 1) + 15
  return [Math.floor(since / dayMs) + 2, changed]
}

/** The day of the month of some days ago; the last days that not every month has are the 28th. */
const readOn = (now: number): number => Math.min(28, new Date(now - 4 * dayMs).getUTCDate())

async function addSupplies(
  { database, plant }: Server,
  project: PlantProject,
  actor: Actor,
  {
    TariffID,
    from,
    spot,
  }: { readonly TariffID: number; readonly from: string; readonly spot: { readonly TariffID: number; readonly from: string } },
): Promise<void> {
  const own = createSupplies({ database, plant, clock: Date.now })
  for (const { name, account, lines, kva, isOver } of supplies) {
    // A plan that was cut down has some of them, or none.
    const there = lines.flatMap(([controllerId, lineNo]) => plant.lineAt(controllerId, lineNo) ?? [])
    if (there.length === 0) continue
    const BillingDay = isOver ? readOn(Date.now()) : 0
    const { SupplyID } = await own.insert(actor, project, {
      ...{ HouseID: project.id, Name: name, AccountNo: account, CapacityVa: kva * 1_000, DeclaredW: null },
      Members: there.map(({ id }) => ({ LineID: id, Sign: 1 as const })),
      ...{ PowerFactorStandard: 90, BillingDay, EnergyStepWh: 1_000, From: from, To: null },
      // The plant buys on the market from a date on.
      Tariffs: [{ TariffID, From: null }, ...(isOver ? [] : [{ TariffID: spot.TariffID, From: spot.from }])],
    })
    await typeFactor(database, project, actor, { SupplyID, BillingDay, from })
  }
}

/** What the utility's bill says of the last period that is over; the one before is left to be typed. */
async function typeFactor(
  database: Server['database'],
  project: PlantProject,
  actor: Actor,
  { SupplyID, BillingDay, from }: { readonly SupplyID: number; readonly BillingDay: number; readonly from: string },
): Promise<void> {
  const month = lastMonthOver(civilZone(project.timeZone).dayAt(Date.now()), BillingDay)
  if (dateText(billingPeriod(month, BillingDay).end) <= from) return
  await createPowerFactors({ database, clock: Date.now }).set(actor, project, {
    ...{ HouseID: project.id, SupplyID, Month: dateText(month).slice(0, 7), Version: 0 },
    Typed: { CosHundredths: 93, ActiveWh: null, ReactiveVarh: null, Source: '演示数据，不是供电公司的账单' },
  })
}

/** The month of the last billing period that is over. */
function lastMonthOver(today: number, billingDay: number): number {
  const month = monthStart(today)
  return (
    [month, monthStart(month - 1), monthStart(monthStart(month - 1) - 1)].find(
      (each) => billingPeriod(each, billingDay).end <= today,
    ) ?? month
  )
}
