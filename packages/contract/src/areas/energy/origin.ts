import { fixMethods } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull, time } from '../../core/schemas.ts'
import { amountFields } from './energy.ts'

/** Lines or other parts in one answer at most, the largest ones. */
export const maxOriginParts = 100

const instant = (description: string) => Type.Integer({ description: `${description}, Unix ms` })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const wh = (description: string) => orNull(Type.Number({ description: `${description}, whole Wh; null: not known` }))

const Reading = Type.Object(
  { At: instant('When it was read'), Kwh: Type.Number({ description: 'Before the multiplier' }) },
  exact,
)

const OriginEdge = Type.Object(
  {
    At: instant('Where a step begins or ends'),
    Kwh: orNull(
      Type.Number({
        description: 'What the register showed then, before the multiplier; null: not known, as within a long silence',
      }),
    ),
    Before: orNull({ ...Reading, description: 'The last reading up to it; null: none is near it, or it is no longer stored' }),
    After: orNull({ ...Reading, description: 'The first reading from it on' }),
  },
  exact,
)
export type OriginEdge = Type.Static<typeof OriginEdge>

const Quarters = Type.Object(
  {
    Measured: count('Made of readings around them'),
    Spread: count('Of a silence: what is between its two readings, evenly'),
    Estimated: count('By the usual course'),
    Entered: count('By somebody, or beside a register that somebody read off'),
    Missing: count('Of which nothing is known'),
    Open: count('Still to be reported'),
  },
  exact,
)
export type OriginQuarters = Type.Static<typeof Quarters>

const OriginStep = Type.Object(
  {
    Civil: Type.String({ description: 'As a bar has it; of a quarter 2026-03-29 02:15' }),
    From: instant('Where it begins: at an edge'),
    To: instant('Where it ends: at the next edge'),
    Wh: wh('What its quarters add up to'),
    RegisterWh: wh('What its registers rose by, times the multiplier'),
    Quarters,
  },
  exact,
)
export type OriginStep = Type.Static<typeof OriginStep>

const OriginMeter = Type.Object(
  {
    Serial: Type.String(),
    Multiplier: Type.Number(),
    From: orNull(instant('Null: before the stretch')),
    To: orNull(instant('Null: after it')),
    Opening: orNull(Type.String({ description: 'kWh on the register' })),
    Closing: orNull(Type.String()),
    Wh: wh('(Closing - Opening) x Multiplier'),
  },
  exact,
)
export type OriginMeter = Type.Static<typeof OriginMeter>

const OriginFix = Type.Object(
  {
    FixID: id,
    From: instant('Its first quarter'),
    To: instant('Where its last quarter ends'),
    Method: Type.Enum([...fixMethods]),
    StartKwh: orNull(Type.Number()),
    EndKwh: orNull(Type.Number()),
    Wh: wh('All of it, also what lies beyond the stretch'),
    Reason: Type.String(),
    TypedAt: instant('When it was entered'),
    TypedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
  },
  exact,
)
export type OriginFix = Type.Static<typeof OriginFix>

const OriginLine = Type.Object(
  {
    ...{ LineID: id, Name: Type.String(), GatewayName: Type.String() },
    ReadingsSince: orNull(instant('The first reading that is still stored; null: there is none')),
    PeriodMs: Type.Integer({ description: 'How often it reports' }),
    Quarters,
    RegisterWh: wh('What the registers rose by from the beginning to the end, times the multiplier'),
    Meters: Type.Array(OriginMeter, { description: 'None: nobody entered one, what the register shows is what was used' }),
    Edges: Type.Array(OriginEdge, { description: 'One more than Steps' }),
    Steps: Type.Array(OriginStep, { description: 'Months, days, hours or quarters, one after the other' }),
    Fixes: Type.Array(OriginFix, { description: 'What was entered over it and counts' }),
  },
  exact,
)
export type OriginLine = Type.Static<typeof OriginLine>

const OriginPart = Type.Object(
  {
    LineID: orNull({ ...id, description: 'Null: a virtual meter' }),
    MeterID: orNull({ ...id, description: 'A virtual meter; null: a line' }),
    Name: Type.String(),
    GatewayName: Type.String(),
    Factor: Type.Number({ description: 'It counts so many times; -1: it is taken off' }),
    Dates: orNull(count('Of a feed: dates on which nothing that is metered fed it; null: all of them')),
    Wh: wh('Of the line itself, before the factor'),
    UnknownS: orNull(count('Of its time nothing is known so long, s; null: not counted')),
  },
  exact,
)
export type OriginPart = Type.Static<typeof OriginPart>

const OriginVersion = Type.Object(
  {
    ...{ TariffID: id, VersionID: id, Tariff: Type.String(), Number: Type.Integer() },
    From: Type.String({ description: 'First date of the stretch that it prices' }),
    To: Type.String({ description: 'The date after the last one' }),
    Source: Type.String({ description: 'The notice that it follows' }),
    Sha256: orNull(Type.String({ description: 'Of what was published' })),
  },
  exact,
)
export type OriginVersion = Type.Static<typeof OriginVersion>

export const EnergyOrigin = Type.Object(
  {
    Zone: Type.String(),
    Name: Type.String({ description: 'Of what was named' }),
    At: instant('By which it was open or not'),
    From: instant('The first quarter'),
    To: instant('Where the last quarter ends'),
    Boundary: Type.Enum(['line', 'feed', 'sum', 'supply', 'virtual'], { description: 'As of the energy' }),
    ...amountFields,
    Line: orNull({ ...OriginLine, description: 'Of a line; null: it is made of parts' }),
    Parts: Type.Array(OriginPart, { description: `The largest ${maxOriginParts}` }),
    More: count('Parts beside those'),
    Fed: count('Lines of it that others of it feed, and that are not added on any date'),
    Versions: Type.Array(OriginVersion, { description: 'Of a supply: what prices its dates' }),
  },
  exact,
)
export type EnergyOrigin = Type.Static<typeof EnergyOrigin>

export const getOrigin = call({
  name: 'getOrigin',
  method: 'GET',
  path: '/energy/origin',
  area: 'energy',
  permission: 'energy.energy',
  shows: ['energyFixes', 'meters', 'supplies', 'tariffs'],
  scope: { kind: 'project', id: 'HouseID', optional: true },
  summary:
    'Where a figure of energy comes from: the registers and their readings, how its quarters are known, what was entered, the lines that are added, the versions that price it',
  query: Type.Object(
    {
      HouseID: optional(id),
      DeviceID: optional(id),
      LineID: optional(id),
      SupplyID: optional(id),
      MeterID: optional({ ...id, description: 'A virtual meter' }),
      From: time('The beginning of a date or of an hour on the clock of the project'),
      To: time('The end of a date, at most ten years later, or of the same hour'),
    },
    exact,
  ),
  data: EnergyOrigin,
})
