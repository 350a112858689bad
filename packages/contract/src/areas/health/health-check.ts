import { healthBands, healthCategories, healthCeilings, healthMends } from '@linewarden/rules/health'
import * as Type from 'typebox'
import { exact, orNull, Text } from '../../core/schemas.ts'

/** A health check examines so many lines at most. */
export const maxHealthCheckLines = 20_000
/** Of so many days up to its start. */
export const healthCheckDays = 30

export const healthCheckStates = ['running', 'done', 'cancelled', 'failed'] as const

export const TestID = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

const Count = Type.Integer({ minimum: 0 })
const Band = Type.Enum([...healthBands])
const Category = Type.Enum([...healthCategories])
const Cost = Type.Object(
  {
    Category: Type.Enum([...healthCategories, 'ceiling'], {
      description: 'ceiling: what a line lost beyond, being no better than 59',
    }),
    Points: Count,
    Lines: Count,
  },
  exact,
)

/** What a finished check came to. It is stored as it was found, and never counted again. */
const Result = Type.Object(
  {
    Score: orNull(Type.Integer({ description: 'Mean of Average and WorstTenth; null: no line has a score' })),
    Band: orNull(Band),
    Average: orNull(Type.Number({ description: 'Of all lines with a score' })),
    WorstTenth: orNull(Type.Number({ description: 'Of the worst tenth of them' })),
    WorstLines: Count,
    Scored: Count,
    Unscored: Type.Integer({ minimum: 0, description: 'Lines of which less than 60 % could be examined' }),
    Coverage: Type.Integer({ description: 'Mean of all lines, percent' }),
    Bands: Type.Object({ good: Count, fair: Count, poor: Count, dangerous: Count }, exact),
    Costs: Type.Array(Cost, { description: 'The dearest first' }),
    CostTotal: Count,
    Hash: Type.String({ description: 'SHA-256 of all that was found, in order of lines' }),
  },
  exact,
)

const Change = Type.Object({ LineID: Type.Integer(), LineName: Type.String(), From: Type.Integer(), To: Type.Integer() }, exact)

/** The finished check before it, of the same scope. */
const Before = Type.Object(
  {
    TestID: Type.Integer(),
    Number: Type.String(),
    StartedAt: Type.Integer(),
    Score: orNull(Type.Integer()),
    Costs: Type.Array(Cost),
    SameRules: Type.Boolean({ description: 'Both were examined by the same figures' }),
    Worse: Count,
    Better: Count,
    Same: Count,
    Changes: Type.Array(Change, { description: 'The greatest changes of a score, the worst first; at most 12' }),
  },
  exact,
)

const Step = Type.Object(
  {
    ...{ LineID: Type.Integer(), LineName: Type.String(), Text, Mend: Type.Enum([...healthMends]) },
    Points: Type.Integer({ minimum: 1, description: 'What the score of the line gains by it' }),
  },
  exact,
)

/** One health check of a project, a gateway or a line. */
export const HealthCheck = Type.Object(
  {
    TestID: Type.Integer(),
    Number: Type.String({ description: 'T, year and month, and a number that runs on by owner: T202611-0012' }),
    HouseID: Type.Integer(),
    HouseName: Type.String({ description: 'As it was called then' }),
    DeviceID: orNull(Type.Integer({ description: 'Of one gateway only' })),
    GatewayName: orNull(Type.String()),
    LineID: orNull(Type.Integer({ description: 'Of one line only' })),
    Origin: Type.Enum(['person', 'monthly']),
    Actor: orNull(Type.String({ description: 'Who started it; null: it came by itself' })),
    RuleVersion: Type.String(),
    State: Type.Enum([...healthCheckStates]),
    StartedAt: Type.Integer({ description: 'Unix ms' }),
    EndedAt: orNull(Type.Integer()),
    FromDay: Type.String({ description: 'First local day that was looked at' }),
    ToDay: Type.String(),
    TimeZone: Type.String(),
    Lines: Count,
    Done: Type.Integer({ minimum: 0, description: 'Of them so far' }),
    Result: orNull(Result),
  },
  exact,
)
export type HealthCheck = Type.Static<typeof HealthCheck>

/** The same with what it is compared with. */
export const HealthCheckDetails = Type.Object(
  { Check: HealthCheck, Before: orNull(Before), Next: Type.Array(Step, { description: 'What brings back most, at most 3' }) },
  exact,
)
export type HealthCheckDetails = Type.Static<typeof HealthCheckDetails>

const Item = Type.Object(
  {
    Key: Type.String(),
    Category,
    Deduct: Count,
    Value: orNull(Type.Number()),
    Limit: orNull(Type.Number()),
    Unit: Type.String(),
    Text,
    Source: Text,
    Mend: Type.Enum([...healthMends], { description: 'Where it is mended' }),
    New: Type.Boolean({ description: 'Not there at the check before, or it cost less' }),
  },
  exact,
)

/** What was found on a line, or on a detector, which is line 0 of itself. */
export const HealthCheckLine = Type.Object(
  {
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    LineName: Type.String({ description: 'As it was called then' }),
    DeviceID: Type.Integer(),
    GatewayName: Type.String(),
    Model: Type.String(),
    RatedCurrentA: orNull(Type.Number()),
    Score: orNull(Type.Integer({ description: '0 to 100; null: less than 60 % of it could be examined' })),
    Band: orNull(Band),
    Coverage: Type.Integer({ description: 'Percent of what there is to examine' }),
    BeforeScore: orNull(Type.Integer({ description: 'At the check before; null: it has none' })),
    Ceilings: Type.Array(Type.Enum([...healthCeilings]), { description: 'Why it is no better than 59' }),
    CeilingCost: Count,
    Parts: Type.Array(Type.Object({ Category, Weight: Count, Deducted: Count, Counted: Count }, exact)),
    Items: Type.Array(Item),
    Gone: Type.Array(Type.Object({ Text, Deduct: Count }, exact), { description: 'What the check before had and this has not' }),
    Gaps: Type.Array(Type.Object({ Category, Text }, exact), { description: 'What could not be examined' }),
  },
  exact,
)
export type HealthCheckLine = Type.Static<typeof HealthCheckLine>
