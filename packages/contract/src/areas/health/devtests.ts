import { healthBands, healthCategories } from '@linewarden/rules/health'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, id, maybe, optional, paging } from '../../core/schemas.ts'
import {
  HealthCheck,
  HealthCheckDetails,
  HealthCheckLine,
  healthCheckStates,
  maxHealthCheckLines,
  TestID,
} from './health-check.ts'

const health = { area: 'health', permission: 'hazard.devTest', scope: { kind: 'own' } } as const
const changes = { ...health, audited: true, movesEquipment: false, touches: ['healthChecks'] } as const
const inProject = { kind: 'project', id: 'HouseID', part: true } as const

export const startHealthCheck = call({
  ...changes,
  name: 'startHealthCheck',
  method: 'POST',
  path: '/devtests/insert',
  scope: inProject,
  subject: [
    { kind: 'project', id: 'HouseID' },
    { kind: 'gatewayId', id: 'DeviceID' },
  ],
  summary: `Examine the lines of a project, at most ${maxHealthCheckLines}, of a gateway, or one line. It reads and operates nothing`,
  body: Type.Object({ HouseID: id, DeviceID: optional(id), LineID: optional(id) }, exact),
  data: HealthCheck,
})

export const queryHealthChecks = call({
  ...health,
  name: 'queryHealthChecks',
  method: 'POST',
  path: '/devtests/query',
  reads: true,
  scope: inProject,
  shows: ['healthChecks'],
  summary: 'Health checks of a project, the newest first',
  body: Type.Object(
    {
      HouseID: id,
      DeviceID: optional({ ...id, description: 'Of this gateway only; left out: of the project as a whole' }),
      State: optional(Type.Enum([...healthCheckStates])),
      ...paging,
    },
    exact,
  ),
  datas: HealthCheck,
})

export const getHealthCheck = call({
  ...health,
  name: 'getHealthCheck',
  method: 'GET',
  path: '/devtests/:TestID',
  shows: ['healthChecks'],
  summary: 'One health check, beside the one before it',
  params: Type.Object({ TestID }, exact),
  data: HealthCheckDetails,
})

/** Which lines of a check: each field narrows it further. */
const lineFilter = {
  TestID,
  Band: optional(Type.Enum([...healthBands, 'none'], { description: 'none: lines without a score' })),
  Category: optional(Type.Enum([...healthCategories], { description: 'Lines on which this category cost something' })),
  Text: optional(maybe(64, 'Part of the name of a line or its gateway')),
} as const

export const listHealthCheckLines = call({
  ...health,
  name: 'listHealthCheckLines',
  method: 'POST',
  path: '/devtests/lines',
  reads: true,
  shows: ['healthChecks'],
  summary: 'What was found on each line, the worst first; as it was found, whatever became of the line since',
  body: Type.Object({ ...lineFilter, ...paging }, exact),
  datas: HealthCheckLine,
})

export const exportHealthCheckLines = call({
  ...health,
  name: 'exportHealthCheckLines',
  method: 'POST',
  path: '/devtests/report',
  reads: true,
  summary:
    'Prepare a file of what was found on each line, the worst first; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object({ ...lineFilter, ...asFile }, exact),
  data: FileTicket,
})

export const cancelHealthCheck = call({
  ...changes,
  name: 'cancelHealthCheck',
  method: 'PUT',
  path: '/devtests/:TestID/cancel',
  subject: [{ kind: 'healthCheck', id: 'TestID' }],
  summary: 'End a health check that is under way; nothing of it is kept',
  params: Type.Object({ TestID }, exact),
})
