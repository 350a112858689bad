import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { DataAddress } from './address.ts'
import { readAddress } from './address.ts'

type Values = Readonly<Record<string, string | null>>

/** The table as its address has it, and how to change it; null takes a name away. What shows another table begins at its first row. */
export function useDataAddress(): [DataAddress, (values: Values) => void] {
  const [query, setQuery] = useSearchParams()
  const address = useMemo(() => readAddress(query), [query])
  const change = useCallback(
    (values: Values) =>
      setQuery(
        (before) => {
          for (const [name, value] of Object.entries({ after: null, before: null, ...values }))
            if (value === null) before.delete(name)
            else before.set(name, value)
          return before
        },
        // Back leads to the page before; a choice is not undone step by step.
        { replace: !('after' in values || 'before' in values) },
      ),
    [setQuery],
  )
  return [address, change]
}
