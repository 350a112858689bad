type Parts = readonly object[]

/** The keys that stand in two of the parts. */
type Twice<P extends Parts> = P extends readonly [infer First, ...infer Rest extends Parts]
  ? (keyof First & keyof Folded<Rest>) | Twice<Rest>
  : never

export type Folded<P extends Parts> = P extends readonly [infer First, ...infer Rest extends Parts]
  ? First & Folded<Rest>
  : unknown

/** What the areas declare, as one. A key that two of them declare does not compile. */
/* @__NO_SIDE_EFFECTS__ */
export const foldOf = <const P extends Parts>(
  ...parts: [Twice<P>] extends [never] ? P : readonly { readonly 'stands twice': Twice<P> }[]
): { readonly [K in keyof Folded<P>]: Folded<P>[K] } => Object.assign({}, ...parts)
