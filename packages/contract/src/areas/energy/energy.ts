import { carbonBases, comparisons, energyUnits } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull } from '../../core/schemas.ts'

const Wh = Type.Number({ description: 'Whole Wh' })
const seconds = (description: string) => Type.Integer({ minimum: 0, description })
const civilDate = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description })

/** Energy of a stretch, and how well it is known. */
export const amountFields = {
  Wh: orNull(Type.Number({ description: 'Whole Wh of what is known of it; null: nothing is, which is not nought' })),
  Spread: Wh,
  Estimated: Wh,
  Entered: Wh,
  LengthS: seconds('How long it is'),
  UnknownS: seconds('Of which nothing is known'),
  LackingS: seconds('Of which at least one line is not known: the figure is too low. It contains UnknownS'),
  OpenS: seconds('Still to be reported, or still to come; in neither of the two'),
}

/** What energy of a supply costs, by the published versions that price its dates. */
const Cost = Type.Object(
  {
    ByBand: Type.Array(Wh, { description: 'Of what has a price, in each of Pricing.Bands' }),
    FeeByBand: orNull(Type.Array(Type.String(), { description: 'What Fee is made of, in the same bands; null as Fee is' })),
    UnpricedWh: Wh,
    UnpricedS: seconds('Of which energy is known, and no price'),
    Fee: orNull(
      Type.String({
        description:
          'Energy alone, a decimal text, not rounded; null: no energy is known, or not all of it has a price in one currency',
      }),
    ),
    KnownFee: orNull(
      Type.String({ description: 'Of what has a price, as Fee; null: nothing has, or its tariffs have several currencies' }),
    ),
  },
  exact,
)
export type EnergyCost = Type.Static<typeof Cost>

const Compared = Type.Object(
  {
    ...{ Civil: Type.String(), Wh: amountFields.Wh, LackingS: amountFields.LackingS },
    Fee: orNull(Type.String({ description: 'As of the bar; null: not known, or not asked for' })),
  },
  exact,
)

const EnergyBar = Type.Object(
  {
    Civil: Type.String({ description: '2026-03-29 02:00, 2026-03-29, 2026-03 or 2026, by the clock of the zone' }),
    Clock: Type.Enum(['plain', 'first', 'second', 'skipped'], {
      description: 'skipped: the clock never showed it, which is no gap; first, second: it showed the hour twice',
    }),
    Start: Type.Integer({ description: 'Unix ms' }),
    End: Type.Integer({ description: 'Excluded' }),
    ...amountFields,
    Cost: orNull({ ...Cost, description: 'Null: not asked for' }),
    Compared: orNull(Compared),
    CarbonG: orNull(Type.Number({ description: 'Of Wh, grams of carbon dioxide, by the factor of its year' })),
  },
  exact,
)
export type EnergyBar = Type.Static<typeof EnergyBar>

const CarbonG = orNull(
  Type.Number({ description: 'Of Wh, grams of carbon dioxide; null: nothing is known, or a year has no factor' }),
)

const Total = Type.Object({ ...amountFields, Cost: orNull(Cost), CarbonG }, exact)

/** The other period, up to the same moment of its clock. */
const comparedFields = {
  From: Type.String(),
  To: Type.String({ description: 'Excluded' }),
  Until: orNull(Type.Integer({ description: 'Of a period that still runs: up to where the other one counts, Unix ms' })),
  ...amountFields,
  Change: orNull(Type.Number({ description: '0.1: 10 % more than then; null: less than 95 % of one of the two is known' })),
}
export const ComparedTotal = Type.Object(comparedFields, exact)

/** And what it cost. */
const ComparedCost = Type.Object(
  {
    ...comparedFields,
    Cost: orNull({ ...Cost, description: 'Null: not asked for' }),
    FeeChange: orNull(Type.Number({ description: 'Of Fee, as Change; null also where one of the two is not known' })),
  },
  exact,
)

const EnergyChild = Type.Object(
  {
    DeviceID: Type.Integer(),
    LineID: orNull(Type.Integer({ description: 'Null: the gateway itself' })),
    Name: Type.String(),
    Wh: amountFields.Wh,
    Bars: Type.Array(amountFields.Wh, { description: 'In the places of the whole’s bars' }),
  },
  exact,
)
export type EnergyChild = Type.Static<typeof EnergyChild>

export const EnergyPicture = Type.Object(
  {
    Zone: Type.String(),
    At: Type.Integer({ description: 'By which instant it was open or not, Unix ms' }),
    Since: orNull(Type.Integer({ description: 'The first quarter of which energy is known; null: none ever was' })),
    Boundary: Type.Enum(['line', 'feed', 'sum', 'supply', 'virtual'], {
      description:
        'virtual: lines and others, each so many times; supply: lines that count for it less those that are taken off; feed: lines that nothing in it feeds; sum: all of its lines, of which one may count what another counts',
    }),
    Group: optional(
      Type.Object(
        {
          Projects: Type.Integer({ description: 'That are added' }),
          Part: Type.Integer({ description: 'Of which only some gateways are seen, and which are not added' }),
          Zones: Type.Array(Type.String(), { description: 'Each project counts by the dates of its own clock' }),
        },
        { ...exact, description: 'Of a group' },
      ),
    ),
    Pricing: orNull(
      Type.Object(
        {
          Currency: orNull(Type.String({ description: 'ISO 4217; null: its tariffs have several, or it has none' })),
          CurrenciesDiffer: Type.Boolean(),
          Bands: Type.Array(Type.String(), {
            description: 'Keys of all bands that price a part of it, or of what it is compared with',
          }),
          ByWeekday: Type.Boolean({
            description: 'Nobody entered the holidays of one of its years: those are priced as other days',
          }),
        },
        { ...exact, description: 'Null: not asked for' },
      ),
    ),
    Carbon: Type.Object(
      {
        Region: orNull(Type.String({ description: 'Of the factors; null: the project goes by none' })),
        Basis: Type.Enum([...carbonBases]),
        Years: Type.Array(
          Type.Object(
            {
              Year: Type.Integer(),
              KgPerKwh: orNull(Type.String({ description: 'Null: there is no factor of it, nor of a year before' })),
              Of: orNull(Type.Integer({ description: 'The year that the factor is of; another one: it stands in (暂算)' })),
              Source: orNull(Type.String()),
            },
            exact,
          ),
        ),
      },
      exact,
    ),
    Bars: Type.Array(EnergyBar),
    Children: optional(
      Type.Array(EnergyChild, { description: 'By child; one may feed another, so that they need not add up to the whole' }),
    ),
    Total,
    Compared: orNull(ComparedCost),
  },
  exact,
)
export type EnergyPicture = Type.Static<typeof EnergyPicture>

export const getEnergy = call({
  name: 'getEnergy',
  method: 'GET',
  path: '/energy/getenergy',
  area: 'energy',
  permission: 'energy.energy',
  shows: ['carbon', 'supplies', 'tariffs'],
  scope: { kind: 'project', id: 'HouseID', optional: true },
  summary:
    'Energy of one group, project, gateway, line, supply or virtual meter by hour, day, month or year of the project’s clock, and what it is compared with',
  query: Type.Object(
    {
      CityID: optional({ ...id, description: 'A group: all of its projects that are seen' }),
      HouseID: optional(id),
      DeviceID: optional(id),
      LineID: optional(id),
      SupplyID: optional(id),
      MeterID: optional({ ...id, description: 'A virtual meter' }),
      Unit: Type.Enum([...energyUnits]),
      From: civilDate('First date'),
      To: civilDate('The date after the last one; at most 400 bars and ten years'),
      Compare: optional(Type.Enum([...comparisons])),
      By: optional(
        Type.Enum(['band', 'child'], {
          description:
            'band: of a supply, energy by band of its tariff, and what it costs; child: of a project its gateways, of a gateway its lines, beside the whole',
        }),
      ),
    },
    exact,
  ),
  data: EnergyPicture,
})
