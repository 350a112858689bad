import type { Client } from '@linewarden/client'
import type { Request, TariffContent } from '@linewarden/contract'
import { insertSupply, insertTariff, publishTariff, saveTariffDraft } from '@linewarden/contract'
import { evenStrip, painted } from '@linewarden/rules/energy'
import type { Server } from '@linewarden/server/compose'

/** Flat all day but for a peak from 08:30 to 11:30 on workdays. */
const workday = painted(evenStrip(1), 34, 46, 0)

/** A tariff of two bands, and a charge by the month. */
export const plainTariff = (From: string, peak = '1.2'): TariffContent => ({
  ...{ From, To: null, Source: '苏发改价格发〔2025〕1 号', Bands: ['peak', 'flat'], DemandRule: null, PowerFactorStandard: null },
  Seasons: [
    {
      ...{ Name: '全年', From: '01-01', To: '12-31' },
      Days: { workday, saturday: evenStrip(1), sunday: evenStrip(1), holiday: evenStrip(1), makeUpWorkday: workday },
    },
  ],
  Components: [
    { Key: 'purchase', Basis: 'kwhByBand', Prices: [peak, '0.5'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    { Key: 'network', Basis: 'kwh', Prices: ['0.1357'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    { Key: 'funds', Basis: 'kwh', Prices: ['0.0293'], Of: [], InPowerFactorBase: false, GovernmentFund: true },
    { Key: 'capacity', Basis: 'kvaCapacity', Prices: ['25.5'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
  ],
})

/** The same without what is charged by the month, so that a part of a period has a sum. */
export const perKwh: TariffContent = {
  ...plainTariff('2025-01-01'),
  Components: plainTariff('2025-01-01').Components.filter(({ Basis }) => Basis !== 'kvaCapacity'),
}

/** Publishes a version of a tariff. */
export async function publishVersion(client: Client, HouseID: number, TariffID: number, Content: TariffContent): Promise<void> {
  const saved = await client.call(saveTariffDraft, { body: { HouseID, TariffID, Version: 0, Content } })
  const { VersionID = 0, Version = 0 } = saved?.Head ?? {}
  await client.call(publishTariff, { body: { HouseID, VersionID, Version } })
}

type Supply = Request<typeof insertSupply>['body']

/** A tariff and a supply of these lines, of which the second is taken off, from March 2025 on. */
export async function addSupply(
  client: Client,
  HouseID: number,
  lineIds: readonly number[],
  more: Partial<Supply> = {},
  content = plainTariff('2025-01-01'),
) {
  const { TariffID } = await client.call(insertTariff, { body: { HouseID, Name: `电价 ${more.Name ?? '总进线'}` } })
  await publishVersion(client, HouseID, TariffID, content)
  const body: Supply = {
    ...{ HouseID, Name: '总进线', AccountNo: '3205 0186', CapacityVa: 630_000, DeclaredW: null, PowerFactorStandard: null },
    ...{ BillingDay: 0, EnergyStepWh: 1_000, From: '2025-03-01', To: null },
    Members: lineIds.map((LineID, place) => ({ LineID, Sign: place === 1 ? -1 : 1 })),
    ...{ Tariffs: [{ TariffID, From: null }], ...more },
  }
  const { SupplyID } = await client.call(insertSupply, { body })
  return { TariffID, SupplyID }
}

/** Quarters of lines from March to May 2025 that all are measured, and what their registers showed at the ends of March in Shanghai. */
export async function storeSpring(server: Pick<Server, 'database'>, lineIds: readonly number[]): Promise<void> {
  const client = await server.database.connect()
  try {
    await client.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select line_id, day::date, (select array_agg(base + place * step order by place) from generate_series(0, 95) as place), decode(repeat('00', 96), 'hex')
       from unnest($1::int[], '{1000, 300}'::int[], '{7, 1}'::int[]) as own (line_id, base, step),
         generate_series('2025-02-27'::date, '2025-06-01', interval '1 day') as day`,
      [lineIds],
    )
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, 1000 + days * 96 * (base + step * 47.5) / 1000
       from unnest($1::int[], '{1000, 300}'::int[], '{7, 1}'::int[]) as own (line_id, base, step),
         unnest('{2025-02-28T16:00:00Z, 2025-03-31T16:00:00Z}'::timestamptz[], '{0, 31}'::int[]) as edge (at, days)`,
      [lineIds],
    )
    await client.query(
      "insert into energy_line (line_id, since, made_to) select id, '2025-02-27', '2025-06-02' from unnest($1::int[]) as t (id)",
      [lineIds],
    )
  } finally {
    await client.end()
  }
}
