import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Call, MessageKey } from '@linewarden/contract'
import { allCalls, attendedHeader, basePath, Refusal } from '@linewarden/contract'
import type { FastifyInstance } from 'fastify'
import { knownExamples, sampleOf } from './examples.ts'
import { besidePaths, tagTexts } from './openapi-beside.ts'

type Json = Readonly<Record<string, unknown>>

/** The API reference at /api/docs, drawn from the contract itself. */
export async function mountReference(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: openApiDocument() as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    // Without TLS a browser would ask for its scripts where nobody listens.
    transformStaticCSP: (header) => header.replace(/\s*upgrade-insecure-requests;?/, ''),
  })
}

/** The contract as OpenAPI 3.1, with what the server answers beside it. */
export function openApiDocument() {
  const paths: Record<string, Record<string, object>> = structuredClone(besidePaths)
  for (const call of allCalls) {
    const path = basePath + call.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
  }
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Linewarden API',
      version: '1',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      description:
        'Every reply is an envelope: `Code` 1 is success with `Data`, or `Datas` and `Total`, of some lists with `About`; `Code` 0 carries `Message`, a stable key, and `Text` in both languages. Every request is signed, before login with an empty UserID and token; see docs/security.md, and docs/examples for a client in Python.',
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: tagTexts,
    paths,
    components: {
      schemas: { Refusal: refusalSchema, Text: textSchema },
      responses: Object.fromEntries(
        Object.entries(refusedBy).map(([status, refused]) => [`Refused${status}`, responseWith(refused)]),
      ),
      securitySchemes: {
        signature: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: 'base64 of JSON {Nonce, TimeStamp, UserID, Signature}',
        },
      },
    },
    security: [{ signature: [] }],
  }
}

const textSchema = {
  type: 'object',
  required: ['zh', 'en'],
  properties: { zh: { type: 'string' }, en: { type: 'string' } },
} as const

const aText = { $ref: '#/components/schemas/Text' } as const

const refusalSchema = {
  type: 'object',
  required: ['Code', 'Message'],
  properties: {
    Code: { const: 0 },
    Message: { type: 'string', description: 'A stable key; what it means never changes' },
    Text: { ...aText, description: 'The same for a person' },
    Problems: {
      type: 'array',
      description: 'Which fields are wrong, where it is about fields',
      items: { type: 'object', required: ['Path', 'Text'], properties: { Path: { type: 'string' }, Text: aText } },
    },
    Detail: { type: 'object', description: 'Facts that the text speaks of' },
  },
} as const

interface RefusedBy {
  readonly description: string
  readonly key: MessageKey
}

/** By their statuses, with one example each. */
const refusedBy = {
  400: { description: 'It is not made as the call wants it, or the plant does not let it be', key: 'invalid parameter' },
  401: { description: 'Nobody is signed in, or not by this signature', key: 'session expired' },
  403: { description: 'Whoever asks may not', key: 'access denied' },
  404: { description: 'It is not there, or not for whoever asks', key: 'device not exists' },
  413: { description: 'The body is larger than the call reads', key: 'body too large' },
  429: { description: 'Too often, or too many wrong ones', key: 'too many requests' },
  503: { description: 'The database is away', key: 'database away' },
} as const satisfies Readonly<Record<number, RefusedBy>>

const responseWith = ({ description, key }: RefusedBy) => ({
  description,
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, example: { ...new Refusal(key).envelope() } },
  },
})

function operationOf(call: Call) {
  const scope = 'id' in call.scope ? `${call.scope.kind} (${call.scope.id})` : call.scope.kind
  const statuses = [400, 401, ...(call.permission === 'public' ? [] : [403]), 404, ...(call.body ? [413] : []), 429, 503]
  return {
    operationId: call.name,
    tags: [call.area],
    summary: call.summary,
    description: `Permission: ${[call.permission, ...(call.alsoFor ?? [])].map((each) => `\`${each}\``).join(' or ')}. Scope: ${scope}.`,
    parameters: [...parametersOf('path', call.params), ...parametersOf('query', call.query), ...presence(call)],
    ...(call.body && { requestBody: { required: true, content: { 'application/json': withExample(modern(call.body)) } } }),
    responses: {
      200: responseOf(call),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }])),
    },
  }
}

const withExample = (schema: Json) => ({ schema, example: exampleOf('', schema) })
const exampleOf = (name: string, schema: Json) => sampleOf(name, schema, { all: knownExamples, given: {} })

/** The contract writes tuples as JSON Schema did before 2020-12, which OpenAPI 3.1 goes by. */
function modern(schema: unknown): Json {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    const { items, additionalItems, secret: _, ...rest } = value as Record<string, unknown>
    const same = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, changed(each)]))
    if (Array.isArray(items)) return { ...same, prefixItems: items.map(changed), items: additionalItems ?? false }
    return { ...same, ...(items !== undefined && { items: changed(items) }) }
  }
  return changed(schema) as Json
}

function parametersOf(place: 'path' | 'query', schema: Call['params']) {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, object>; required?: string[] }
  return Object.entries(properties).map(([name, each]) => {
    const isRequired = place === 'path' || required.includes(name)
    const given = modern(each)
    return { name, in: place, required: isRequired, schema: given, ...(isRequired && { example: exampleOf(name, given) }) }
  })
}

const presence = ({ permission }: Call) =>
  permission === 'public'
    ? []
    : [
        {
          name: attendedHeader,
          in: 'header' as const,
          required: false,
          schema: { enum: ['yes', 'no'] },
          description:
            'Whether a person is there: only then does the call keep the session alive. Left out: every call does but polls',
        },
      ]

const responseOf = (call: Call) =>
  call.file
    ? {
        description: 'The file as it is; what refuses it is an envelope',
        content: Object.fromEntries(call.file.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      }
    : { description: 'The envelope', content: { 'application/json': withExample(envelopeOf(call)) } }

function envelopeOf(call: Call): Json {
  const properties: Record<string, Json> = { Code: { const: 1 }, Message: { type: 'string', const: '' } }
  if (call.data) properties.Data = modern(call.data)
  if (call.datas)
    Object.assign(properties, { Datas: { type: 'array', items: modern(call.datas), minItems: 0 }, Total: { type: 'integer' } })
  if (call.about) properties.About = modern(call.about)
  return { type: 'object', required: Object.keys(properties), properties }
}
