import { comparisons, energyUnits } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, id, optional } from '../../core/schemas.ts'
import { civilDate } from './tariff.ts'

export const exportCost = call({
  name: 'exportCost',
  method: 'POST',
  path: '/energy/supplies/export',
  area: 'energy',
  permission: 'energy.energy',
  scope: { kind: 'project', id: 'HouseID' },
  reads: true,
  summary:
    'Prepare a file of the energy of a supply by band and what it costs, as it is shown; its one-use ticket starts the download',
  body: Type.Object(
    {
      ...{ HouseID: id, SupplyID: id, Unit: Type.Enum([...energyUnits]) },
      From: civilDate('First date'),
      To: civilDate('The date after the last one; at most 400 bars and ten years'),
      Compare: optional(Type.Enum([...comparisons])),
      ...asFile,
    },
    exact,
  ),
  data: FileTicket,
})
