import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Call } from '@linewarden/contract'
import { allCalls, attendedHeader, basePath } from '@linewarden/contract'
import type { FastifyInstance } from 'fastify'

/** The API reference at /api/docs, drawn from the contract itself. */
export async function mountReference(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: openApiDocument() } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    // Without TLS a browser would ask for its scripts where nobody listens.
    transformStaticCSP: (header) => header.replace(/\s*upgrade-insecure-requests;?/, ''),
  })
}

/** The contract as OpenAPI 3.1. */
function openApiDocument() {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of allCalls) {
    const path = basePath + call.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
  }
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Linewarden API',
      version: '1',
      description:
        'Every reply is an envelope: `Code` 1 is success with `Data`, or `Datas` and `Total`, of some lists with `About`; `Code` 0 carries `Message`, a stable key, and `Text` in both languages. Every request is signed; see docs/security.md.',
    },
    paths,
    components: {
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

function operationOf(call: Call) {
  const scope = 'id' in call.scope ? `${call.scope.kind} (${call.scope.id})` : call.scope.kind
  return {
    operationId: call.name,
    tags: [call.area],
    summary: call.summary,
    description: `Permission: ${[call.permission, ...(call.alsoFor ?? [])].map((each) => `\`${each}\``).join(' or ')}. Scope: ${scope}.`,
    parameters: [...parametersOf('path', call.params), ...parametersOf('query', call.query), ...presence(call)],
    ...(call.body && { requestBody: { required: true, content: { 'application/json': { schema: call.body } } } }),
    responses: { 200: responseOf(call) },
  }
}

function parametersOf(place: 'path' | 'query', schema: Call['params']) {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, object>; required?: string[] }
  return Object.entries(properties).map(([name, each]) => ({ name, in: place, required: required.includes(name), schema: each }))
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
    : { description: 'The envelope', content: { 'application/json': { schema: envelopeOf(call) } } }

function envelopeOf(call: Call) {
  const properties: Record<string, object> = { Code: { enum: [1, 0] }, Message: { type: 'string' } }
  if (call.data) properties.Data = call.data
  if (call.datas) Object.assign(properties, { Datas: { type: 'array', items: call.datas }, Total: { type: 'integer' } })
  if (call.about) properties.About = call.about
  return { type: 'object', required: ['Code', 'Message'], properties }
}
