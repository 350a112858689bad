/** The same answers, each worked out once. */
export function rememberedBy<V, K extends number | string = number>(of: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>()
  return (key) => {
    const found = known.get(key) ?? { value: of(key) }
    known.set(key, found)
    return found.value
  }
}
