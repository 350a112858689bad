/** A padlock with its tag, or a tag alone. */
export const tagKinds = ['lock', 'tag'] as const
export type TagKind = (typeof tagKinds)[number]

/** What a lock-out tag hangs on. It is in force on every line behind that, those born later too. */
export type TagPlace = 'line' | 'device' | 'gateway'

interface Hung {
  readonly id: string
  /** Unix ms. */
  readonly placedAt: number
}

interface Place<T> {
  /** What hangs on it itself, and not on what it is part of. */
  readonly ownTags: readonly T[]
}

/** A line with what it stands behind: whoever asks about a line cannot leave its cabinet out. */
export interface TaggedLine<T extends Hung> extends Place<T> {
  readonly device: Place<T> & { readonly gateway: Place<T> }
}

/** Every tag in force on a line, wherever it hangs, in the order in which they were hung. There is no other way to ask. */
export const tagsInForce = <T extends Hung>({ ownTags, device }: TaggedLine<T>): readonly T[] =>
  [...device.gateway.ownTags, ...device.ownTags, ...ownTags].sort(
    (a, b) => a.placedAt - b.placedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
