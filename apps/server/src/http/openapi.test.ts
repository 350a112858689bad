import { allCalls, basePath } from '@linewarden/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

/** As it goes over the wire. */
const document = JSON.parse(JSON.stringify(openApiDocument())) as Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly (Json & { readonly schema: Json })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Body>> }>>
}

interface Body {
  readonly schema: Json
  readonly example?: unknown
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, operation })),
)

function* nodesOf(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each)
  else if (typeof value === 'object' && value !== null) {
    yield value as Json
    for (const each of Object.values(value)) yield* nodesOf(each)
  }
}

test('every call of the contract is there under its name, and what the server answers beside them', () => {
  const named = new Map(operations.map(({ place, operation }) => [operation.operationId, place]))
  for (const { name, method, path } of allCalls)
    expect(named.get(name)).toBe(`${method} ${basePath}${path.replace(/:([A-Za-z]+)/g, '{$1}')}`)
  const beside = [...named.keys()].filter((name) => !allCalls.some((call) => call.name === name))
  expect(beside.toSorted()).toEqual(
    ['download', 'health', 'healthz', 'live', 'logo', 'metrics', 'push', 'pushByKey', 'pushProof', 'readyz', 'signOn'].toSorted(),
  )
})

test('every call says how it answers and how it refuses', () => {
  const lacking = operations.flatMap(({ place, operation: { responses } }) => {
    const statuses = Object.keys(responses)
    return statuses.some((each) => /^[123]/.test(each)) && statuses.some((each) => each.startsWith('4')) ? [] : [place]
  })
  expect(lacking).toEqual([])
})

test('what it refers to is there', () => {
  for (const { $ref } of nodesOf(document))
    if (typeof $ref === 'string') {
      const steps = $ref.slice(2).split('/')
      expect([$ref, steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)]).not.toContain(undefined)
    }
})

test('no schema is of a time before 2020-12: of a tuple it says prefixItems', () => {
  expect(
    [...nodesOf(document)].filter(({ items, additionalItems }) => Array.isArray(items) || additionalItems !== undefined),
  ).toEqual([])
  expect([...nodesOf(document)].some(({ prefixItems }) => Array.isArray(prefixItems))).toBe(true)
})

test('every body that is JSON has an example, and every example is right', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { uuid: true } })
  ajv.addSchema({ $id: 'doc', components: document.components })
  const wrong: string[] = []
  const look = (place: string, schema: Json, example: unknown) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')
    const validate = ajv.compile(JSON.parse(text))
    if (example === undefined || !validate(example)) wrong.push(`${place}: ${ajv.errorsText(validate.errors)}`)
  }
  for (const { place, operation } of operations) {
    const { parameters = [], requestBody, responses } = operation
    for (const { name, schema, example, required } of parameters) if (required) look(`${place} ${name}`, schema, example)
    const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    for (const content of bodies) {
      const json = content?.['application/json']
      if (json) look(place, json.schema, json.example)
    }
  }
  expect(wrong).toEqual([])
})
