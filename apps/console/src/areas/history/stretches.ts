type Stretches = readonly (readonly [number, number])[]

/** What lies in both, when both are in order. */
export function common(a: Stretches, b: Stretches): [number, number][] {
  const both: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [aFrom, aTo] = a[i] ?? [0, 0]
    const [bFrom, bTo] = b[j] ?? [0, 0]
    const from = Math.max(aFrom, bFrom)
    const to = Math.min(aTo, bTo)
    if (from < to) both.push([from, to])
    if (aTo < bTo) i += 1
    else j += 1
  }
  return both
}
