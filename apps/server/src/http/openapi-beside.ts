import type { Area } from '@linewarden/contract'
import { basePath, downloadPath, livePath, logoPath, signOnPath } from '@linewarden/contract'

/** What is no call of the contract: a browser, a platform or a monitor asks there. */
export const tagTexts = [
  ...Object.entries({
    account: 'Signing in, one’s own account, API keys, branding',
    people: 'Users and roles',
    audit: 'The system log',
    site: 'Projects, groups, gateways, devices, and the asset register',
    monitor: 'The tree, and what lines are known to be now',
    history: 'Readings of the past',
    control: 'Operating lines, tags, inspections, self-tests, group operations, and the command history',
    settings: 'Settings of equipment, read back',
    equipment: 'The calls of each family of equipment',
    alarm: 'Alarms, their incidents and evidence',
    warning: 'Early-warning rules',
    automation: 'Timers, scenes and linkages',
    inspection: 'Rounds',
    hazard: 'Statistics of alarms',
    health: 'Health checks of equipment',
    workorder: 'Hazards and work orders',
    energy: 'Consumption, load, balance, tariffs, cost and meters',
    report: 'Device data, statements, and reports that go out by themselves',
    screen: 'The wall and the single-line diagrams',
    firmware: 'Firmware of gateways',
    push: 'Subscriptions at platforms of operators',
    ingest: 'What came from the field, and what could not be taken',
  } satisfies Readonly<Record<Area, string>>).map(([name, description]) => ({ name, description })),
  {
    name: 'beside',
    description: 'No calls of the contract: the live socket, files, pushes of platforms, and what watches the server',
  },
]

const refused = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]))

const json = (description: string, schema: object, example: object) => ({
  description,
  content: { 'application/json': { schema, example } },
})

const status = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } }
const readiness = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string' }, missing: { type: 'array', items: { enum: ['database', 'intake'] } } },
}

const inPath = (name: string, example: string) => ({ name, in: 'path', required: true, schema: { type: 'string' }, example })
const inQuery = (name: string, description: string, example: string) => ({
  ...{ name, in: 'query', required: true, description, example },
  schema: { type: 'string' },
})

/** Nobody signs these. */
const open = { tags: ['beside'], security: [] }

const probe = (operationId: string, summary: string, example: object, schema: object = status) => ({
  get: { ...open, operationId, summary, responses: { 200: json('It is so', schema, example), ...refused(404) } },
})

const push = (operationId: string, parameters: readonly object[]) => ({
  ...open,
  operationId,
  parameters,
  summary: 'What a platform pushes: its form and its signature are the platform’s, see docs/wire-protocol.md',
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' }, example: { msg: '{}' } } } },
  responses: {
    200: json('It is kept and will be processed', status, { status: 'ok' }),
    ...refused(400, 401, 403, 404, 413, 429, 503),
  },
})

export const besidePaths = {
  [livePath]: {
    get: {
      ...open,
      operationId: 'live',
      summary: 'The live socket (WebSocket): values, alarms and orders, each after its commit',
      description:
        'The ticket is that of `POST /live/ticket`, good once and for 30 seconds; only the server’s own Origin, one of `LINEWARDEN_ORIGINS`, or none is let in. Send `{"t":"watch","houses":[1],"lines":[1,2]}` for what is to be told, `{"t":"hello"}` for a hello at once. Messages, and how long a silence means that the connection is dead: docs/wire-protocol.md.',
      parameters: [inQuery('ticket', 'From `POST /live/ticket`', 'k3Wq0n6m2uYw5bq8a1Zc4e7Rt9Xv3Pj5hLs0dGf2oNM')],
      responses: { 101: { description: 'The socket is open' }, ...refused(401, 403) },
    },
  },
  [`${downloadPath}{Ticket}`]: {
    get: {
      ...open,
      operationId: 'download',
      summary: 'A file that a call has prepared; its ticket is the permission, and is good once',
      parameters: [inPath('Ticket', 'k3Wq0n6m2uYw5bq8a1Zc4e7Rt9Xv3Pj5hLs0dGf2oNM')],
      responses: {
        200: {
          description: 'The file, as long as it is made',
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        ...refused(404),
      },
    },
  },
  [`${logoPath}{Hash}`]: {
    get: {
      ...open,
      operationId: 'logo',
      summary: 'The logo of this installation',
      parameters: [inPath('Hash', '0'.repeat(64))],
      responses: {
        200: { description: 'The picture', content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } },
        ...refused(404),
      },
    },
  },
  [signOnPath]: {
    get: {
      ...open,
      operationId: 'signOn',
      summary: 'Where a browser goes to sign on at the organisation’s own provider',
      parameters: [inQuery('bind', '256 random bits, base64url: only the browser that has them gets in', 'A'.repeat(43))],
      responses: { 302: { description: 'On to the provider' }, ...refused(404) },
    },
  },
  [`${basePath}/push/{PushID}`]: {
    get: {
      ...open,
      operationId: 'pushProof',
      summary: 'Proves the address to a platform (OneNET): answers its `msg` when its signature is right',
      parameters: [inPath('PushID', '1'), ...['msg', 'nonce', 'signature'].map((name) => inQuery(name, 'Of the platform', 'x'))],
      responses: {
        200: { description: 'The `msg`', content: { 'text/plain': { schema: { type: 'string' } } } },
        ...refused(401, 404, 429),
      },
    },
    post: push('push', [inPath('PushID', '1')]),
  },
  [`${basePath}/push/{PushID}/{Key}`]: { post: push('pushByKey', [inPath('PushID', '1'), inPath('Key', 'A'.repeat(43))]) },
  '/healthz': probe('healthz', 'Whether the process answers', { status: 'ok' }),
  '/readyz': {
    get: {
      ...open,
      operationId: 'readyz',
      summary: 'Whether the server can do its work',
      responses: {
        200: json('It can', readiness, { status: 'ready' }),
        503: json('It cannot: what is missing is named', readiness, { status: 'not ready', missing: ['database'] }),
        ...refused(404),
      },
    },
  },
  '/health': {
    get: {
      ...open,
      operationId: 'health',
      summary: 'Whether the database answers',
      responses: {
        200: json('It does', status, { status: 'ok' }),
        503: json('It does not', status, { status: 'database unavailable' }),
        ...refused(404),
      },
    },
  },
  '/metrics': {
    get: {
      ...open,
      operationId: 'metrics',
      summary: 'Figures for Prometheus, to this machine and to whom `LINEWARDEN_METRICS_FROM` names',
      responses: {
        200: { description: 'The figures', content: { 'text/plain': { schema: { type: 'string' } } } },
        ...refused(404),
      },
    },
  },
}
