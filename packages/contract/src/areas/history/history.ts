import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, orNull } from '../../core/schemas.ts'
import { EventRecord } from '../alarm/alarm.ts'

const time = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000, description: `${description}, Unix ms` })

/** Points of one picture at most. */
export const maxHistoryPoints = 8

export const HistoryPoint = Type.Object(
  { LineID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Point: Type.String({ minLength: 1, maxLength: 64 }) },
  exact,
)
export type HistoryPoint = Type.Static<typeof HistoryPoint>

const points = Type.Array(HistoryPoint, { minItems: 1, maxItems: maxHistoryPoints, uniqueItems: true })
const range = { From: time('start, included'), To: time('end, excluded') }
const width = Type.Integer({ minimum: 50, maximum: 8_000, description: 'Pixels across: what the resolution is chosen by' })
const stretch = Type.Tuple([Type.Integer(), Type.Integer()])

/** One point over the range. The arrays stand side by side; a null value is a gap, never zero. */
const HistorySeries = Type.Object(
  {
    LineID: Type.Integer(),
    Point: Type.String(),
    Level: Type.Enum(['raw', 'hour', 'day'], { description: 'Which table answered' }),
    BucketMs: Type.Integer({ description: '0: samples as reported; otherwise the width of each bucket' }),
    At: Type.Array(Type.Integer(), { description: 'Device time of the sample, or start of the bucket' }),
    Value: Type.Array(orNull(Type.Number()), {
      description: 'The sample, or the mean; of a counter what was used in the bucket',
    }),
    Min: Type.Array(orNull(Type.Number()), { description: 'Empty for samples and counters' }),
    Max: Type.Array(orNull(Type.Number())),
    Gaps: Type.Array(stretch, { description: 'Nothing reported for longer than three reporting periods' }),
    Late: Type.Array(stretch, { description: 'Back-filled after an interruption' }),
    ClockOff: Type.Array(stretch, { description: 'The device clock was off' }),
  },
  exact,
)
export type HistorySeries = Type.Static<typeof HistorySeries>

export const history = call({
  name: 'history',
  method: 'POST',
  path: '/monitor/history',
  reads: true,
  area: 'history',
  permission: 'devmon.hisdata',
  scope: { kind: 'own' },
  summary: 'Up to 8 points of any lines over any range: samples while they are few, else minimum, mean and maximum per bucket',
  body: Type.Object(
    {
      Points: points,
      ...range,
      Width: width,
      Compare: Type.Optional(Type.Boolean({ description: 'The same length before it, too' })),
    },
    exact,
  ),
  data: Type.Object(
    {
      From: Type.Integer(),
      To: Type.Integer(),
      Series: Type.Array(HistorySeries),
      Previous: Type.Array(HistorySeries, { description: 'Of the period before, at its own times; empty unless asked for' }),
      Events: Type.Array(EventRecord, { description: 'Of these lines and their gateways, oldest first; the newest 500' }),
      EventsTotal: Type.Integer(),
    },
    exact,
  ),
})

export const exportHistory = call({
  name: 'exportHistory',
  method: 'POST',
  path: '/monitor/history/export',
  reads: true,
  area: 'history',
  permission: 'devmon.hisdata',
  scope: { kind: 'own' },
  summary: 'Prepare a file of any length; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object(
    {
      Points: points,
      ...range,
      ...asFile,
      Content: Type.Enum(['raw', 'shown'], { description: '`raw`: every stored reading; `shown`: the buckets of the picture' }),
      Width: width,
    },
    exact,
  ),
  data: FileTicket,
})
