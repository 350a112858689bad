/** The same keys with other words; the compiler checks that none is missing. A `key_one` is the singular of `key`, which Chinese does without. */
type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> } & {
  readonly [K in keyof T & string as `${K}_one`]?: string
}

/** One area's texts: the Chinese ones decide which keys there are. */
export const inBoth = <const T>(zh: T, en: Same<T>): { readonly zh: T; readonly en: Same<T> } => ({ zh, en })
