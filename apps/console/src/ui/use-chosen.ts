import { useState } from 'react'

/** The chosen rows of a list, also those of pages that were left. */
export function useChosen<T>(items: readonly T[] | undefined, rowKey: (row: T) => string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  const choose = (keys: ReadonlySet<string>) => {
    const here = new Map((items ?? []).map((row) => [rowKey(row), row]))
    setChosen(
      new Map(
        [...keys].flatMap((key) => {
          const row = here.get(key) ?? chosen.get(key)
          return row === undefined ? [] : [[key, row] as const]
        }),
      ),
    )
  }
  return {
    rows: [...chosen.values()],
    selection: { keys: new Set(chosen.keys()), onChange: choose },
    clear: () => setChosen(new Map()),
  }
}
