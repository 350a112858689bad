import type { Call } from '@linewarden/contract'
import { pathOf } from '@linewarden/contract'
import type { ExampleValues } from '../../apps/server/src/http/examples.ts'
import { knownExamples, sampleOf } from '../../apps/server/src/http/examples.ts'

type Json = Readonly<Record<string, unknown>>

/** A well-formed request of any call, made from its schemas: what is required and no more, with these values in the fields that have them. */
export function exampleOf(call: Call, given: Json): { path: string; body: string } {
  const values: ExampleValues = { all: { ...knownExamples, ...given }, given }
  const query = new URLSearchParams(
    Object.entries(sample(call.query, values)).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  const path = pathOf(call, sample(call.params, values) as Record<string, unknown>)
  return { path: query === '' ? path : `${path}?${query}`, body: call.body ? JSON.stringify(sample(call.body, values)) : '' }
}

/** Every field a call takes, at its top level. */
export function fieldsOf(call: Call): string[] {
  return [call.params, call.query, call.body].flatMap((schema) => Object.keys((schema as Json | undefined)?.properties ?? {}))
}

function sample(schema: unknown, values: ExampleValues): object {
  return (schema ? sampleOf('', schema as Json, values) : {}) as object
}
