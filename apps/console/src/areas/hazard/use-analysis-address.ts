import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AnalysisAddress } from './address.ts'
import { readAddress } from './address.ts'

/** The page as its address has it, and how to change it; an empty value takes a name away. */
export function useAnalysisAddress(): [AnalysisAddress, (change: Readonly<Record<string, string>>) => void] {
  const [query, setQuery] = useSearchParams()
  const address = useMemo(() => readAddress(query), [query])
  const change = useCallback(
    (values: Readonly<Record<string, string>>) =>
      setQuery(
        (before) => {
          for (const [name, value] of Object.entries(values))
            if (value === '') before.delete(name)
            else before.set(name, value)
          return before
        },
        { replace: true },
      ),
    [setQuery],
  )
  return [address, change]
}
