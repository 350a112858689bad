import type { TSchema } from 'typebox'
import type { Call } from '../../core/call.ts'

/** What of a schema is asked here: TypeBox writes JSON Schema. */
interface Shape {
  /** Passwords, keys, grants, signatures and pictures: never told. */
  readonly secret?: true
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/**
 * What of a refused request the audit log tells: the fields that its call has, at every depth, but none that its schema calls `secret`. What
 * no call has is not told, whatever somebody sends under it, nor is anything within a field that has none.
 */
export const tellableOf = (call: Pick<Call, 'params' | 'body'>, given: { readonly params: unknown; readonly body: unknown }) => ({
  ...fieldsOf(tellablePart(call.body, given.body)),
  ...fieldsOf(tellablePart(call.params, given.params)),
})

const tellablePart = (schema: TSchema | undefined, value: unknown): unknown =>
  schema ? tellablePartOf([schema as Shape], value) : undefined

/** `shapes`: any of them may be meant, so what one of them keeps secret is kept. */
function tellablePartOf(given: readonly Shape[], value: unknown): unknown {
  const shapes = given.flatMap(alternatives)
  if (shapes.some(({ secret }) => secret)) return undefined
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => shape.items ?? [])
    return items.length === 0 ? undefined : value.map((each) => tellablePartOf(items, each) ?? null)
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).flatMap(([key, each]) => {
    const below = shapes.flatMap(({ properties }) =>
      properties && Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
    )
    const part = below.length === 0 ? undefined : tellablePartOf(below, each)
    return part === undefined ? [] : [[key, part] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const alternatives = (shape: Shape): readonly Shape[] => [shape, ...(shape.anyOf?.flatMap(alternatives) ?? [])]

const fieldsOf = (value: unknown): object => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {})
