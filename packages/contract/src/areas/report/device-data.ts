import type { DeviceDataStep } from '@linewarden/rules/report'
import { deviceDataSteps, maxDeviceDataLines, maxDeviceDataPoints, maxDeviceDataRows } from '@linewarden/rules/report'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, id, optional, orNull, Text, time } from '../../core/schemas.ts'

/**
 * What is to be known of the values of a row: back-filled, by a clock that was off, of a slot that is not over; and of its energy, that a part was spread
 * over a silence, estimated, or entered.
 */
export const deviceDataMarks = ['late', 'clock', 'open', 'spread', 'estimated', 'entered'] as const
export type DeviceDataMark = (typeof deviceDataMarks)[number]

/** Up to so many readings are counted for the total of a table of them; beyond, it is known that there are more. */
export const maxDeviceDataTotal = 10_000

const RowKey = Type.Object({ At: time('`At` of the row'), LineID: id }, exact)
export type DeviceDataKey = Type.Static<typeof RowKey>

const asked = {
  LineIDs: Type.Array(id, {
    ...{ minItems: 1, maxItems: maxDeviceDataLines, uniqueItems: true },
    description: 'Lines of one project; rows of one time stand in this order',
  }),
  Points: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    ...{ minItems: 1, maxItems: maxDeviceDataPoints, uniqueItems: true },
    description: 'Keys of points that at least one of the lines has',
  }),
  Step: Type.Enum([...deviceDataSteps] as [DeviceDataStep, ...DeviceDataStep[]], {
    description: 'Every reading, or by quarter of an hour, hour or day of the project',
  }),
  From: time('Start, included'),
  To: time('End, excluded'),
} as const

/** Of one point in one slot, or in one reading. A null value is missing, never zero. */
const Figure = Type.Object(
  {
    Value: orNull(Type.Number({ description: 'Mean; of a counter what was used in the slot; of a reading its value' })),
    Min: orNull(Type.Number({ description: 'Null for readings and counters' })),
    Max: orNull(Type.Number()),
  },
  exact,
)

/** One line in one slot, or one reading of it. */
export const DeviceDataRow = Type.Object(
  {
    At: Type.Integer({ description: 'Start of the slot, or device time of the reading, Unix ms' }),
    LineID: Type.Integer(),
    Figures: Type.Array(orNull(Figure), { description: 'In the order of `Points`; null: the line has no such point' }),
    Complete: orNull(
      Type.Integer({
        description:
          'For which share of the slot there are readings, percent; null: of a reading, or it is not known how many there should be',
      }),
    ),
    Marks: Type.Array(Type.Enum([...deviceDataMarks] as [DeviceDataMark, ...DeviceDataMark[]])),
  },
  exact,
)
export type DeviceDataRow = Type.Static<typeof DeviceDataRow>

const DeviceDataPoint = Type.Object(
  {
    Key: Type.String(),
    Label: Text,
    Unit: Type.String(),
    Precision: Type.Integer({ description: 'Decimals' }),
    Counter: Type.Boolean({ description: 'In slots what was used of it is told, without minimum and maximum' }),
  },
  exact,
)

const report = { area: 'report', permission: 'system.report', scope: { kind: 'own' }, reads: true } as const

export const deviceData = call({
  ...report,
  name: 'deviceData',
  method: 'POST',
  path: '/report/deviceData',
  summary: `What up to ${maxDeviceDataLines} lines of a project measured and used, a row for each line and slot, or each reading, by time and then line; a slot without readings has its row`,
  body: Type.Object(
    {
      ...asked,
      After: optional({ ...RowKey, description: 'Only what follows this row' }),
      Before: optional({ ...RowKey, description: 'Only what stands before this row: the last `Size` of it, in the same order' }),
      Size: optional(Type.Integer({ minimum: 1, maximum: maxDeviceDataRows, description: 'Default 100' })),
    },
    exact,
  ),
  datas: DeviceDataRow,
  about: Type.Object(
    {
      TimeZone: Type.String({ description: "The project's" }),
      Points: Type.Array(DeviceDataPoint),
      First: orNull(Type.Integer({ description: 'How many rows stand before these; null: that is not known of readings' })),
      HasEarlier: Type.Boolean(),
      HasLater: Type.Boolean(),
      IsTotalExact: Type.Boolean({ description: 'False: there are more than `Total`' }),
      KeptFrom: orNull(
        Type.Integer({
          description: 'From when on readings are kept that such rows are made of; null: these rows are kept for ever',
        }),
      ),
    },
    exact,
  ),
})

export const exportDeviceData = call({
  ...report,
  name: 'exportDeviceData',
  method: 'POST',
  path: '/report/deviceData/export',
  summary: 'Prepare a file of such a table; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object(
    {
      ...asked,
      ...asFile,
      Sheets: optional(
        Type.Enum(['one', 'line'], { description: 'In xlsx one sheet of all, or one of each line; default `one`' }),
      ),
    },
    exact,
  ),
  data: FileTicket,
})
