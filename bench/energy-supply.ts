import type { TariffContent } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { evenStrip, painted } from '@linewarden/rules/energy'
import type pg from 'pg'
import { percentile } from './calibrate.ts'

const days = 400

/** What a year of a supply costs by the month: by how many lines it has, in ms. */
export interface YearCost {
  readonly p50: number
  readonly p95: number
}

/** Asks for it twenty times of each. */
export async function yearCosts(
  read: (supplyId: number) => Promise<unknown>,
  supplies: readonly { readonly lines: number; readonly supplyId: number }[],
): Promise<Readonly<Record<string, YearCost>>> {
  const found: Record<string, YearCost> = {}
  for (const { lines, supplyId } of supplies) {
    const asked: number[] = []
    for (let round = 0; round < 20; round++) {
      const from = performance.now()
      await read(supplyId)
      asked.push(performance.now() - from)
    }
    const at = (share: number) => Number(percentile(asked, share).toFixed(1))
    found[lines === 1 ? '1 line' : `${lines} lines`] = { p50: at(0.5), p95: at(0.95) }
  }
  return found
}

/** A year of quarters of these lines, and supplies of one, five and all of them, with a tariff of five bands. */
export async function seedSupplies(client: pg.Client, projectId: number, lineIds: readonly number[], now: number) {
  const today = Math.floor(now / dayMs)
  await client.query(
    `insert into energy_quarter (line_id, day, wh, how)
     select line_id, day::date, array_fill(750, array[96]), decode(repeat('00', 96), 'hex')
     from unnest($1::int[]) as own (line_id), generate_series($2::date, $3::date, interval '1 day') as day on conflict do nothing`,
    [lineIds, dateText(today - days), dateText(today - 1)],
  )
  const { rows: tariffs } = await client.query<{ tariff_id: number }>(
    "insert into tariff (project_id, name, currency) values ($1, 'bench', 'CNY') returning tariff_id",
    [projectId],
  )
  const tariffId = tariffs[0]?.tariff_id ?? 0
  await client.query(
    `insert into tariff_version (tariff_id, project_id, number, from_day, to_day, source, content, published_at, published_name, canonical, sha256)
     values ($1, $2, 1, 0, null, 'bench', $3, now(), 'bench', $4, repeat('0', 64))`,
    [tariffId, projectId, JSON.stringify(content()), JSON.stringify({ From: '1970-01-01', Source: 'bench', ...content() })],
  )
  const supplies: { readonly lines: number; readonly supplyId: number }[] = []
  for (const lines of new Set([1, Math.min(5, lineIds.length), lineIds.length])) {
    const { rows } = await client.query<{ supply_id: number }>(
      `insert into supply (project_id, name, account_no, members, billing_day, energy_step_wh, from_day, to_day, tariffs)
       values ($1, 'bench ' || $2, '', $3, 0, 1, 0, null, $4) returning supply_id`,
      [
        ...[projectId, lines, JSON.stringify(lineIds.slice(0, lines).map((lineId) => ({ lineId, sign: 1 })))],
        JSON.stringify([{ tariffId, from: null }]),
      ],
    )
    supplies.push({ lines, supplyId: rows[0]?.supply_id ?? 0 })
  }
  return supplies
}

function content(): Omit<TariffContent, 'From' | 'To' | 'Source'> {
  const workday = [34, 46, 56, 64].reduce((strip, from, band) => painted(strip, from, from + 8, band), evenStrip(2))
  const even = evenStrip(3)
  const row = { Of: [], InPowerFactorBase: true, GovernmentFund: false }
  return {
    Bands: ['sharp', 'peak', 'flat', 'valley', 'deepValley'],
    Seasons: [
      {
        ...{ Name: '', From: '01-01', To: '12-31' },
        Days: { workday, makeUpWorkday: workday, saturday: even, sunday: even, holiday: evenStrip(4) },
      },
    ],
    Components: [
      { Key: 'purchase', Basis: 'kwhByBand', Prices: ['1.2', '0.91', '0.5', '0.14', '0.06'], ...row },
      { Key: 'network', Basis: 'kwh', Prices: ['0.1357'], ...row },
    ],
    ...{ DemandRule: null, PowerFactorStandard: null },
  }
}
