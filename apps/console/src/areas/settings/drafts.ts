import { useState } from 'react'

/** What somebody has written and not yet sent, by key. */
export interface Drafts {
  readonly texts: Readonly<Record<string, string>>
  set(key: string, text: string): void
  fill(values: Readonly<Record<string, number>>): void
  clear(): void
}

/** Drafts belong to one line: with another line they begin anew. */
export function useDrafts(lineId: number): Drafts {
  const [kept, setKept] = useState<{ lineId: number; texts: Readonly<Record<string, string>> }>({ lineId, texts: {} })
  const texts = kept.lineId === lineId ? kept.texts : {}
  const write = (more: Readonly<Record<string, string>>) => setKept({ lineId, texts: { ...texts, ...more } })
  return {
    texts,
    set: (key, text) => write({ [key]: text }),
    fill: (values) =>
      write(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(Number(value.toFixed(3)))]))),
    clear: () => setKept({ lineId, texts: {} }),
  }
}
