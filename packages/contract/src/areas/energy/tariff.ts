import { type dayTypes, maxBands, powerFactorStandards, stripPattern } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { called, exact, maybe, orNull } from '../../core/schemas.ts'

/** How many of each a version can have; real tariffs have three or four seasons and a dozen prices. */
export const maxSeasons = 8
export const maxComponents = 20
/** A price of 9 digits, 8 places, and what surrounds them: whether it is a number is the rules' to say. */
const maxPrice = 24

export const civilDate = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10, description })
const monthDay = Type.String({ pattern: '^\\d{2}-\\d{2}$', maxLength: 5, description: '`12-01`, of every year' })
const strip = Type.String({
  ...{ pattern: stripPattern, maxLength: 96 },
  description: 'The band of each of the 96 quarters of the clock, by its place among Bands; a dot: none yet',
})

const Season = Type.Object(
  {
    Name: maybe(20),
    From: monthDay,
    To: { ...monthDay, description: 'Included; before From: it goes over the new year' },
    Days: Type.Object(
      { workday: strip, saturday: strip, sunday: strip, holiday: strip, makeUpWorkday: strip } satisfies Record<
        (typeof dayTypes)[number],
        unknown
      >,
      exact,
    ),
  },
  exact,
)

export const componentBases = ['kwhByBand', 'kwh', 'kwhBySeries', 'kwDemand', 'kvaCapacity', 'month', 'percentOf'] as const

const Component = Type.Object(
  {
    Key: { ...called(24), description: 'Its name, or one that the console has a name for: purchase, losses, network, system, …' },
    Basis: Type.Enum([...componentBases]),
    Prices: Type.Array(maybe(maxPrice, 'A decimal text of at most 8 places'), {
      ...{ maxItems: maxBands },
      description: 'One; of kwhByBand one for each band; of kwhBySeries none; of percentOf the per cent',
    }),
    Of: Type.Array(called(24), { maxItems: maxComponents, description: 'Of percentOf: keys of components before it' }),
    InPowerFactorBase: Type.Boolean({ description: 'The adjustment by power factor is of it, too' }),
    GovernmentFund: Type.Boolean({ description: 'It is never adjusted' }),
  },
  exact,
)

const percent = Type.Integer({ minimum: 0, maximum: 1_000 })

const DemandRule = Type.Object(
  {
    Base: Type.Enum(['actual', 'declared']),
    Over: orNull(Type.Object({ AbovePercent: percent, Factor: Type.Integer({ minimum: 1, maximum: 10 }) }, exact)),
    FloorPercent: orNull({ ...percent, description: 'At least so many per cent of the capacity' }),
    Discount: orNull(Type.Object({ FromKwhPerKva: Type.Integer({ minimum: 1, maximum: 1_000 }), PricePercent: percent }, exact)),
  },
  exact,
)

/** What a version says, as it is typed: a draft may be wrong in all of it. */
export const tariffContent = {
  From: civilDate('First date'),
  To: orNull(civilDate('Last date, included; null: until another version begins')),
  Source: maybe(300, 'What it follows, such as the number of a notice; required for publishing'),
  Bands: Type.Array(
    { ...called(16), description: 'Its name, or one that the console has a name for: sharp, peak, flat, valley, deepValley' },
    { maxItems: maxBands },
  ),
  Seasons: Type.Array(Season, { maxItems: maxSeasons }),
  Components: Type.Array(Component, { maxItems: maxComponents }),
  DemandRule: orNull(DemandRule),
  PowerFactorStandard: orNull(
    Type.Enum([...powerFactorStandards], { description: 'As the notice says; what a bill is adjusted by is the supply’s' }),
  ),
} as const

export const TariffContent = Type.Object(tariffContent, exact)
export type TariffContent = Type.Static<typeof TariffContent>

export const TariffHead = Type.Object(
  {
    VersionID: Type.Integer(),
    Number: Type.Integer({ description: 'Within its tariff, from 1 on' }),
    From: Type.String(),
    To: orNull(Type.String()),
    Source: Type.String(),
    PublishedAt: orNull(Type.Integer({ description: 'Unix ms; null: a draft, which prices nothing' })),
    Publisher: orNull(Type.String({ description: 'Null: a draft, or a guest asks' })),
    Sha256: orNull(Type.String({ description: 'Of what was published, as canonical JSON (RFC 8785)' })),
    Superseded: Type.Boolean({ description: 'Another one of the same dates was published later' }),
    PricesUntil: orNull(Type.String({ description: 'The last date that it prices; null: it goes on, or prices nothing' })),
    Version: Type.Integer(),
  },
  exact,
)
export type TariffHead = Type.Static<typeof TariffHead>

export const Tariff = Type.Object(
  {
    TariffID: Type.Integer(),
    HouseID: Type.Integer(),
    Name: Type.String(),
    Currency: Type.String({ description: 'ISO 4217' }),
    Versions: Type.Array(TariffHead, { description: 'The newest first' }),
  },
  exact,
)
export type Tariff = Type.Static<typeof Tariff>

export const TariffVersionRecord = Type.Object(
  { HouseID: Type.Integer(), TariffID: Type.Integer(), Currency: Type.String(), Head: TariffHead, Content: TariffContent },
  exact,
)
export type TariffVersionRecord = Type.Static<typeof TariffVersionRecord>
