import type { getPriceDay, importPrices, listPrices, PriceDay, PriceImport, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { civilZone, parseDate } from '@linewarden/rules/automation'
import type { ReadPrices } from '@linewarden/rules/energy'
import {
  clockQuarterOf,
  maxPriceProblems,
  pricedDays,
  quarterMs,
  quartersOfSeries,
  readPriceDocument,
  readPriceTable,
  seriesPriceText,
  slotsOfDay,
  startOfDay,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { PriceImportRow } from '../../store/energy/prices.ts'
import { changedBy, importsOf, readPrices, savePrices } from '../../store/energy/prices.ts'
import { findTariff } from '../../store/energy/tariff.ts'
import { invalid, rangeTexts } from './asked.ts'
import { priceProblemRecords } from './price-problems.ts'
import { inItsTurn, sha256 } from './statement-freeze.ts'

export type Prices = ReturnType<typeof createPrices>

const shownImports = 50
const maxImports = 5_000

type Body = Request<typeof importPrices>['body']
type DayAsked = Request<typeof getPriceDay>['query']
type Imported = Reply<typeof importPrices>

/** Prices by the quarter of a tariff: what was imported, and how more is. */
export function createPrices({ database, clock }: { readonly database: Database; readonly clock: () => number }) {
  return {
    async list(actor: Actor, project: PlantProject, tariffId: number) {
      const { rows, starts, ends } = await withRowSecurity(database, actor.scope, async ({ general }) => {
        if (!(await findTariff(general, project.id, tariffId))) throw new Refusal('tariff not exists')
        return importsOf(general, project.id, tariffId, shownImports)
      })
      const items = rows.map((row) => importRecord(row, !actor.shared))
      return { items, total: items.length, about: { From: starts, To: ends } } satisfies Reply<typeof listPrices>
    },

    async day(actor: Actor, project: PlantProject, { TariffID, Date: date }: DayAsked): Promise<PriceDay> {
      const { tariff, prices } = await withRowSecurity(database, actor.scope, async (db) => {
        const own = await findTariff(db.general, project.id, TariffID)
        if (!own) throw new Refusal('tariff not exists')
        const day = parseDate(date)
        if (day === null) throw invalid('query.Date', rangeTexts.notDates)
        const zone = civilZone(project.timeZone)
        const slots = slotsOfDay(zone, day)
        const stretch = { from: startOfDay(zone, day), to: startOfDay(zone, day + 1) }
        const series = (await readPrices(db, [TariffID], stretch)).get(TariffID)
        const known = slots.map((at, index) => ({ at, clock: clockQuarterOf(zone, at), price: series?.[index] ?? null }))
        return { tariff: own, prices: known }
      })
      return {
        ...{ Zone: project.timeZone, Currency: tariff.currency },
        Quarters: prices.map(({ at, clock, price }) => ({
          ...{ At: at, Clock: clockText(clock), Price: price === null ? null : seriesPriceText(price) },
        })),
      }
    },

    /** What is shown of a dry run is decided once more when it is stored, by what is there then. */
    async import(actor: Actor, project: PlantProject, body: Body): Promise<Imported> {
      if (actor.shared) throw new Refusal('access denied')
      const { TariffID, Source, DryRun } = body
      const tariff = await withRowSecurity(database, actor.scope, ({ general }) => findTariff(general, project.id, TariffID))
      if (!tariff) throw new Refusal('tariff not exists')
      const { currency } = tariff
      const read = await inItsTurn(() => readFile(body, project, currency))
      const found = recordOf(read, project, currency)
      if (read.problems.length > 0) {
        if (DryRun) return found
        const named = found.Problems.map(({ Row, Text }) => ({ Path: `row ${Row}`, Text }))
        throw new Refusal('prices wrong', { count: read.problems.length }, named)
      }
      const given = quartersOfSeries(read.series)
      if (DryRun)
        return {
          ...found,
          Changed: await withRowSecurity(database, actor.scope, ({ general }) => changedBy(general, TariffID, given)),
        }
      const columns = {
        ...{ source: Source.trim(), minutes: found.Minutes ?? 15, quarters: found.Quarters, unknown: found.Unknown },
        ...{ sha256: sha256(body.Text), imported_at: new Date(clock()), imported_name: actor.userName },
      }
      const asked = { projectId: project.id, owner: project.ownerId, tariffId: TariffID, most: maxImports, given, columns }
      const saved = await savePrices(database, asked, ({ name }, row) => ({
        ...{
          ...by(actor, clock(), 'tariff.prices', project.ownerId),
          subject: aboutNothing,
          target: `${project.name} · ${name}`,
        },
        after: {
          ...{ number: row.number, source: row.source, from: row.starts.toISOString(), to: row.ends.toISOString() },
          ...{ minutes: row.minutes, quarters: row.quarters, unknown: row.unknown, changed: row.changed, sha256: row.sha256 },
        },
      }))
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'noTariff') throw new Refusal('tariff not exists')
      if (saved === 'many') throw new Refusal('too many', { what: { zh: '次导入', en: 'imports of a tariff' }, most: maxImports })
      return { ...found, Number: saved?.number ?? null, Changed: saved?.changed ?? 0 }
    },
  }
}

function readFile({ Text, Per = 'kWh', Minutes }: Body, { timeZone }: PlantProject, currency: string): ReadPrices {
  if (/^\s*</.test(Text.replace(/^﻿/, ''))) return readPriceDocument(Text, { currency, minutes: Minutes })
  return readPriceTable(Text, civilZone(timeZone), { per: Per, currency })
}

/** What a file says, before it is compared with what is there. */
function recordOf({ series, problems }: ReadPrices, { timeZone }: PlantProject, Currency: string): Imported {
  const wrong = { Problems: priceProblemRecords(problems.slice(0, maxPriceProblems)), ProblemCount: problems.length }
  const none = { Number: null, From: null, To: null, Minutes: null, Quarters: 0, Unknown: 0, Negative: 0, Changed: 0, Days: [] }
  if (series.length === 0) return { ...none, ...wrong, Currency }
  const zone = civilZone(timeZone)
  const laid = quartersOfSeries(series)
  const named = laid.prices.filter((each) => each !== undefined)
  return {
    ...{ ...none, ...wrong, Currency, From: laid.from, To: laid.from + laid.prices.length * quarterMs },
    ...{ Minutes: Math.min(...series.map(({ minutes }) => minutes)) as 15 | 30 | 60, Quarters: named.length },
    ...{ Unknown: named.filter((each) => each === null).length, Negative: named.filter((each) => (each ?? 0n) < 0n).length },
    Days: pricedDays(zone, laid).map(({ date, quarters, unknown, least, most }) => ({
      ...{ Date: date, Quarters: quarters, OfDay: slotsOfDay(zone, parseDate(date) ?? 0).length, Unknown: unknown },
      ...{ Least: least === null ? null : seriesPriceText(least), Most: most === null ? null : seriesPriceText(most) },
    })),
  }
}

/** 9 is 02:15. */
const clockText = (quarter: number): string =>
  [Math.floor(quarter / 4), (quarter % 4) * 15].map((each) => String(each).padStart(2, '0')).join(':')

const importRecord = (row: PriceImportRow, isNamed: boolean): PriceImport => ({
  ...{ Number: row.number, Source: row.source, From: row.starts.getTime(), To: row.ends.getTime() },
  ...{ Minutes: row.minutes as PriceImport['Minutes'], Quarters: row.quarters, Unknown: row.unknown, Changed: row.changed },
  ...{ Sha256: row.sha256, At: row.imported_at.getTime(), ChangedBy: isNamed ? row.imported_name : null },
})
