import { useCallback, useEffect, useState } from 'react'
import { useKept } from '../../../app/offline/kept.ts'
import type { KeptRound } from './packages.ts'
import { keptRound, keptRounds } from './packages.ts'

/** What a place on the disk holds, read again when `again` is called; undefined: it is being read. */
function useRead<T>(read: () => Promise<T>): readonly [T | undefined, () => void] {
  const isOpen = useKept(({ state }) => state === 'open')
  const [value, setValue] = useState<T>()
  const again = useCallback(() => {
    read().then(setValue, reportError)
  }, [read])
  useEffect(() => {
    if (isOpen) again()
  }, [isOpen, again])
  return [value, again]
}

export const useKeptRounds = (): readonly [readonly KeptRound[] | undefined, () => void] => useRead(keptRounds)

export function useKeptRound(roundId: string): readonly [KeptRound | null | undefined, () => void] {
  const read = useCallback(() => keptRound(roundId), [roundId])
  return useRead(read)
}
