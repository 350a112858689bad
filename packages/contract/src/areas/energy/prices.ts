import { maxPriceDays, maxPriceProblems, priceMinutes, pricePers } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, optional, orNull, Text } from '../../core/schemas.ts'
import { civilDate } from './tariff.ts'

const prices = { area: 'energy', scope: { kind: 'project', id: 'HouseID' } } as const

/** A year of quarters as a table, or of hours as a document: three bytes a sign at most. */
export const maxPriceText = 1_390_000
const Minutes = Type.Enum([...priceMinutes])
const quarters = (description: string) => Type.Integer({ minimum: 0, description })

export const PriceImport = Type.Object(
  {
    Number: Type.Integer({ description: 'Within its tariff, from 1 on' }),
    Source: Type.String(),
    From: Type.Integer({ description: 'The first quarter, Unix ms' }),
    To: Type.Integer({ description: 'Excluded' }),
    Minutes,
    Quarters: quarters('That it names'),
    Unknown: quarters('Of them, those of which it knows no price'),
    Changed: quarters('Of them, those that had another price before, or none'),
    Sha256: Type.String({ description: 'Of the file as it was given' }),
    At: Type.Integer({ description: 'Unix ms' }),
    ChangedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
  },
  exact,
)
export type PriceImport = Type.Static<typeof PriceImport>

export const listPrices = call({
  ...prices,
  permission: 'energy.energy',
  name: 'listPrices',
  method: 'GET',
  path: '/energy/prices',
  shows: ['tariffs'],
  summary: 'What was imported of the prices by the quarter of a tariff, the newest 50 first',
  query: Type.Object({ HouseID: id, TariffID: id }, exact),
  datas: PriceImport,
  about: Type.Object(
    {
      From: orNull(Type.Integer({ description: 'Where its series begins, Unix ms; null: it has none' })),
      To: orNull(Type.Integer({ description: 'And where it ends' })),
    },
    exact,
  ),
})

const PriceDay = Type.Object(
  {
    Zone: Type.String(),
    Currency: Type.String(),
    Quarters: Type.Array(
      Type.Object(
        {
          At: Type.Integer({ description: 'Where it begins, Unix ms' }),
          Clock: Type.String({ description: 'What the clock shows then: 02:15; of a repeated hour twice' }),
          Price: orNull(Type.String({ description: 'Per kWh; null: not known' })),
        },
        exact,
      ),
      { description: 'Of the date: 92 or 100 where clocks change, none where there is no such date' },
    ),
  },
  exact,
)
export type PriceDay = Type.Static<typeof PriceDay>

export const getPriceDay = call({
  ...prices,
  permission: 'energy.energy',
  name: 'getPriceDay',
  method: 'GET',
  path: '/energy/prices/day',
  shows: ['tariffs'],
  summary: 'The prices by the quarter of a tariff on a date, as they stand now',
  query: Type.Object({ HouseID: id, TariffID: id, Date: civilDate('By the clock of the project') }, exact),
  data: PriceDay,
})

const PricedDay = Type.Object(
  {
    Date: Type.String({ description: 'By the clock of the project' }),
    Quarters: quarters('That the file names'),
    OfDay: quarters('That the date has: 92 or 100 where clocks change'),
    Unknown: quarters('Of which it knows no price'),
    Least: orNull(Type.String({ description: 'Per kWh' })),
    Most: orNull(Type.String()),
  },
  exact,
)

export const importPrices = call({
  ...prices,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['tariffs', 'supplies'],
  name: 'importPrices',
  method: 'POST',
  path: '/energy/prices/import',
  maxBodyBytes: 4_194_304,
  summary:
    'Prices by the quarter from a table or an ENTSO-E document: a dry run says what would be stored. Of a file in which anything is wrong nothing is; what is imported again makes a new version',
  body: Type.Object(
    {
      HouseID: id,
      TariffID: id,
      DryRun: Type.Boolean(),
      Text: Type.String({
        ...{ secret: true, minLength: 1, maxLength: maxPriceText },
        description: 'A document (XML), or a table of a time and a price a line, with or without a head',
      }),
      Per: optional(Type.Enum([...pricePers], { description: 'Of how much energy the prices of a table are; default kWh' })),
      Minutes: optional({ ...Minutes, description: 'Of a document with several resolutions, which one is meant' }),
      Source: { ...called(300), description: 'Where the prices are from' },
    },
    exact,
  ),
  data: Type.Object(
    {
      Number: orNull(Type.Integer({ description: 'Of the import; null: a dry run, or nothing would change' })),
      From: orNull(Type.Integer({ description: 'Unix ms; null: something is wrong' })),
      To: orNull(Type.Integer({ description: 'Excluded' })),
      Minutes: orNull(Minutes),
      Currency: Type.String({ description: 'Of the tariff, ISO 4217' }),
      Quarters: quarters('That the file names'),
      Unknown: quarters('Of which it knows no price'),
      Negative: quarters('Whose price is below nought'),
      Changed: quarters('That have another price, or none, by now'),
      Days: Type.Array(PricedDay, { description: `At most ${maxPriceDays}` }),
      Problems: Type.Array(
        Type.Object({ Row: Type.Integer({ description: 'The line of the file' }), Key: Type.String(), Text }, exact),
        { description: `All that is wrong, ${maxPriceProblems} of it at most; nothing is stored then` },
      ),
      ProblemCount: Type.Integer({ minimum: 0 }),
    },
    exact,
  ),
})
