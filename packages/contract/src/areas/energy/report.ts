import { comparisons } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, ids, optional, orNull, paging } from '../../core/schemas.ts'
import { amountFields, ComparedTotal } from './energy.ts'
import { civilDate } from './tariff.ts'

/** More are not named one by one. */
export const maxReportProjects = 500
/** At most so many dates, so that a question about every project stays small. */
export const maxReportDays = 400
/** Lines have no sums of days: each is added up from its quarters. */
export const maxReportLines = 200

const EnergyRow = Type.Object(
  {
    HouseID: Type.Integer(),
    DeviceID: orNull(Type.Integer({ description: 'Its gateway; null: the row is a project' })),
    LineID: orNull(Type.Integer({ description: 'Null: the row is a project or a gateway' })),
    Name: Type.String(),
    IsPart: Type.Boolean({ description: 'Only single gateways of the project are seen: no figure of it is given' }),
    Boundary: Type.Enum(['line', 'feed', 'sum'], { description: 'As of GET /energy/getenergy' }),
    ...amountFields,
    Compared: orNull(ComparedTotal),
  },
  exact,
)
export type EnergyRow = Type.Static<typeof EnergyRow>

export const reportEnergy = call({
  name: 'reportEnergy',
  method: 'POST',
  path: '/energy/report',
  reads: true,
  area: 'energy',
  permission: 'energy.energy',
  // Projects that are named are checked where their rows are made.
  scope: { kind: 'gateway', id: 'DeviceID', optional: true },
  summary:
    'Energy of a period side by side, the largest first: of projects, of the gateways of one, or of the lines of one or of a gateway',
  body: Type.Object(
    {
      Rows: Type.Enum(['project', 'gateway', 'line']),
      HouseIDs: optional(ids(maxReportProjects)),
      DeviceID: optional(id),
      From: civilDate('First date, by the clock of each project'),
      To: civilDate(`The date after the last one; at most ${maxReportDays} dates`),
      Compare: optional(Type.Enum([...comparisons])),
      ...paging,
    },
    exact,
  ),
  datas: EnergyRow,
  about: Type.Object(
    {
      At: Type.Integer({ description: 'By which instant it was open or not, Unix ms' }),
      Wh: orNull(
        Type.Number({
          description: 'Of all rows, whole Wh; null: nothing is known, or rows are no projects and one may feed another',
        }),
      ),
      Largest: orNull(Type.Number({ description: 'Of the largest row, whole Wh' })),
      Lacking: Type.Integer({ description: 'Rows of which something is not known' }),
    },
    exact,
  ),
})
