import * as Type from 'typebox'

/** Shapes that administration's calls share. */
export const exact = { additionalProperties: false } as const
export const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const optional = Type.Optional

/** A text that must say something. */
export const requiredText = (most: number, description?: string) =>
  Type.String({ maxLength: most, pattern: '\\S', ...(description && { description }) })
/** What something is called, in lists and files: one line of text. */
export const oneLine = '^(?=.*\\S)[^\\x00-\\x1f\\x7f\\u2028\\u2029]+$'
export const called = (most: number) => Type.String({ maxLength: most, pattern: oneLine })
/** A text that may stay empty. */
export const maybe = (most: number, description?: string) => Type.String({ maxLength: most, ...(description && { description }) })
/** Part of a name to search by. */
export const search = optional(Type.String({ maxLength: 64, description: 'Part of it, case-insensitive; empty finds all' }))

/** Of a setting; the family says what it may be. Beyond this is nothing that any of them has. */
export const SettingValue = Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000 })

export const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
export const ids = (most: number) => Type.Array(id, { maxItems: most })
export const uuid = Type.String({ format: 'uuid' })
/** An id that a caller makes. Those of version 5 the platform makes of what they are about: whoever used one first would keep a line from being tripped. */
export const ownUuid = Type.String({ format: 'uuid', pattern: '^.{14}[^5]' })
/** The last moment of the year 9999: what lies beyond is no time that anybody means. */
const latestMs = 253_402_300_799_999
export const time = (description: string) =>
  Type.Integer({ minimum: 0, maximum: latestMs, description: `${description}, Unix ms` })

/** Sent back with an edit: when somebody else saved in between, the edit is refused with `changed meanwhile`. */
export const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'As it was read; another one is refused' })
/** The same in a call of the specification, which knows no versions. */
export const VersionRead = optional(
  Type.Integer({
    ...{ minimum: 1, maximum: 2_147_483_647 },
    description: 'As it was read; another one is refused. Left out: whatever somebody else saved meanwhile is written over',
  }),
)

export const paging = {
  Page: optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 1' })),
  Size: optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 10' })),
} as const

/** The order of a list: a key, or with `-` before it the other way round. */
export type Sort<K extends string> = K | `-${K}`

/** What a list can be ordered by; anything else is refused. */
/* @__NO_SIDE_EFFECTS__ */
export const sorting = <const K extends string>(...keys: readonly K[]) => ({
  Sort: optional(
    Type.Enum([...keys, ...keys.map((key): Sort<K> => `-${key}`)] as [Sort<K>, ...Sort<K>[]], {
      description: "A key; with `-` before it downwards. Default: the list's own order",
    }),
  ),
})

export const Text = Type.Object({ zh: Type.String(), en: Type.String() }, exact)

/** A device, as its gateway names it. */
export const ControllerID = Type.String({ minLength: 1, maxLength: 64 })
/** A line of it, 1..n; 0 is the device itself. */
export const linePlace = { ControllerID, LineNo: Type.Integer({ minimum: 0, maximum: 9999 }) }
export const LineTarget = Type.Object(linePlace, exact)
