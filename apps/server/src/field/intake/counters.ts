/** What ingest has seen since it started. */
export interface Counters {
  messages: number
  readings: number
  quarantined: number
  duplicates: number
  rebirths: number
  /** `family metric` > count; bounded, because names come from outside. */
  readonly unknown: Map<string, { readonly name: string; readonly family: string; count: number }>
}

export const newCounters = (): Counters => ({
  messages: 0,
  readings: 0,
  quarantined: 0,
  duplicates: 0,
  rebirths: 0,
  unknown: new Map(),
})

const maxUnknown = 200

/** Counts a metric nobody understands, and keeps its name visible. */
export function countUnknown(counters: Counters, name: string, family: string): void {
  const key = `${family} ${name}`
  const found = counters.unknown.get(key)
  if (found) found.count += 1
  else if (counters.unknown.size < maxUnknown) counters.unknown.set(key, { name, family, count: 1 })
}
