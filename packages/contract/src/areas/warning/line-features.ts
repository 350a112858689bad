import { notEvaluatedReasons } from '@linewarden/rules/warning'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, linePlace, optional, orNull, Text } from '../../core/schemas.ts'
import { Day, onWarnings } from './warnings.ts'

/** Days of features of a line at most. */
export const maxFeatureDays = 400

const number = orNull(Type.Number())

const LinePoint = Type.Object({ Point: Type.String(), Label: Text, Unit: Type.String() }, exact)

export const lineWarnings = call({
  ...onWarnings,
  name: 'lineWarnings',
  method: 'GET',
  path: '/warnings/lines/:ControllerID/:LineNo',
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  shows: ['events'],
  summary: 'What the daily rules look at of one line, day by day, and what each rule last said of it',
  params: Type.Object(linePlace, exact),
  query: Type.Object({ Days: optional(Type.Integer({ minimum: 1, maximum: maxFeatureDays, description: 'Default 35' })) }, exact),
  data: Type.Object(
    {
      LineID: Type.Integer(),
      TripMa: number,
      RatedA: number,
      DaysLearnt: Type.Integer(),
      LearningDays: Type.Integer({ description: 'That a line is learnt before it is compared with what is usual' }),
      Points: Type.Array(LinePoint, { description: 'Of the currents, as in PeakA and UsualPeakA' }),
      Terminals: Type.Array(LinePoint, { description: 'As in ContactK' }),
      Days: Type.Array(
        Type.Object(
          {
            Day,
            FloorMa: number,
            PeakMa: number,
            Hours: Type.Integer({ description: 'That count' }),
            CoveragePercent: Type.Number({ description: 'Of the samples that were expected' }),
            UsualPeakA: Type.Array(number),
            PeakA: Type.Array(number),
            ContactK: Type.Array(number, { description: 'Excess of each terminal at rated current, of this day alone' }),
          },
          exact,
        ),
      ),
      Rules: Type.Array(
        Type.Object(
          {
            Key: Type.String(),
            Label: Text,
            Enabled: Type.Boolean(),
            Version: Type.Integer(),
            EventID: orNull(Type.String({ description: 'Of the finding that is open' })),
            NotEvaluated: orNull(Type.Enum(notEvaluatedReasons)),
            Have: number,
            Need: number,
          },
          exact,
        ),
      ),
    },
    exact,
  ),
})
