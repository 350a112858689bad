/** The same keys with other words; the compiler checks that none is missing. */
type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** One area's texts: the Chinese ones decide which keys there are. */
export const inBoth = <const T>(zh: T, en: Same<T>): { readonly zh: T; readonly en: Same<T> } => ({ zh, en })
