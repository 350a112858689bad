import { loadDayTypes, loadKinds, maxLoadDays, maxLoadQuarterDays } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull } from '../../core/schemas.ts'

const kw = (description: string) => orNull(Type.Number({ description: `kW; ${description}` }))
const count = (description: string) => Type.Integer({ minimum: 0, description })
const civilDate = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description })

/** How a quarter is known. As a demand one of several lines is known as little as the line of which least is. */
export const loadHows = ['measured', 'spread', 'estimated', 'entered', 'missing', 'open'] as const
const How = Type.Enum([...loadHows], { description: 'open: still to be reported, or still to come' })

const DayType = Type.Enum([...loadDayTypes], {
  description: 'workday: a weekend worked, too; holiday: Sundays and public holidays',
})

/** One quarter of an hour. */
export const LoadQuarterRow = Type.Object(
  { At: Type.Integer({ description: 'Where it begins, Unix ms' }), KW: kw('null: nothing is known, which is not nought'), How },
  exact,
)
export type LoadQuarterRow = Type.Static<typeof LoadQuarterRow>

/** The usual day of one type. */
export const TypicalDayRow = Type.Object(
  {
    DayType,
    Days: count('Days that it is made of'),
    Quarters: Type.Array(
      Type.Object(
        {
          Median: kw('of the days; null: it is known of none'),
          P10: kw('exceeded on nine of ten days'),
          P90: kw('exceeded on one of ten days'),
          Count: count('Quarters that it is made of'),
        },
        exact,
      ),
      { description: 'The 96 quarters of the clock' },
    ),
  },
  exact,
)
export type TypicalDayRow = Type.Static<typeof TypicalDayRow>

/** A point of the duration curve. */
export const DurationRow = Type.Object(
  {
    Share: Type.Number({ minimum: 0, maximum: 100, description: '% of the time' }),
    KW: Type.Number({ description: 'Reached or exceeded for that time' }),
  },
  exact,
)
export type DurationRow = Type.Static<typeof DurationRow>

/** A date by its hours. */
export const HeatRow = Type.Object(
  {
    Day: civilDate('By the clock of the zone'),
    DayType,
    KW: Type.Array(orNull(Type.Number()), {
      description: 'Mean kW of each of the 24 hours of the clock: of its quarters that are known. An hour that came twice is one',
    }),
    How: Type.Array(Type.Enum([...loadHows, 'skipped']), {
      description: 'Of each hour, of the quarter of which least is known; skipped: the clock did not show it',
    }),
  },
  exact,
)
export type HeatRow = Type.Static<typeof HeatRow>

const LoadAbout = Type.Object(
  {
    Zone: Type.String(),
    At: Type.Integer({ description: 'By which instant it was open or not, Unix ms' }),
    Since: orNull(Type.Integer({ description: 'The first quarter of which energy is known; null: none ever was' })),
    Boundary: Type.Enum(['line', 'feed', 'sum', 'virtual'], {
      description:
        'virtual: lines and others, each so many times; feed: lines that nothing in it feeds; sum: all of its lines, of which one may count what another counts',
    }),
    Quarters: count('Quarters that make a demand: measured or estimated, of all lines'),
    Estimated: count('Of them'),
    LeftOut: Type.Object(
      {
        Spread: count('Their energy is known, but not its course'),
        Entered: count('As spread'),
        Missing: count('Of at least one line nothing is known'),
      },
      exact,
    ),
    Max: kw('the maximum demand; null: no quarter makes one'),
    MaxAt: orNull(Type.Integer({ description: 'The first quarter that reached it, Unix ms' })),
    MaxHow: orNull(Type.Enum(['measured', 'estimated'])),
    Mean: kw('of the quarters that make a demand'),
    Min: kw('of them'),
    LoadFactor: orNull(Type.Number({ minimum: 0, maximum: 1, description: 'Mean over maximum' })),
    FullLoadHours: orNull(Type.Number({ description: 'How long the maximum would have taken to use their energy' })),
    PeakValleyDifference: kw('maximum less minimum'),
    Base: kw('exceeded by 95 % of the quarters from 00:00 to 05:00; null: fewer than 60 of them were measured'),
    BaseQuarters: count('Measured quarters from 00:00 to 05:00'),
    Complete: orNull(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of what is over of which all lines are known; null: nothing is over',
      }),
    ),
    WeekdayYears: Type.Array(Type.Integer(), {
      description: 'Years whose public holidays are not entered: there a date is a plain day of its week',
    }),
  },
  exact,
)
export type LoadAbout = Type.Static<typeof LoadAbout>

export const listLoad = call({
  name: 'listLoad',
  method: 'POST',
  reads: true,
  path: '/powers/list',
  area: 'energy',
  permission: 'energy.energy',
  scope: { kind: 'project', id: 'HouseID', optional: true },
  summary:
    'Load of one project, gateway, line or virtual meter, of its quarters of an hour: usual days, largest quarters, duration curve, means by hour and day, or the quarters themselves',
  body: Type.Object(
    {
      HouseID: optional(id),
      DeviceID: optional(id),
      LineID: optional(id),
      MeterID: optional({ ...id, description: 'A virtual meter' }),
      From: civilDate('First date'),
      To: civilDate(`The date after the last one; at most ${maxLoadDays} days, of quarters ${maxLoadQuarterDays}`),
      Kind: Type.Enum([...loadKinds], {
        description:
          'profile: usual days; max: the twenty largest quarters; duration: the load by the share of time for which it is reached; heat: means by hour and day; quarters: each of them',
      }),
    },
    exact,
  ),
  datas: Type.Union([LoadQuarterRow, TypicalDayRow, DurationRow, HeatRow]),
  about: LoadAbout,
})
