import { useState } from 'react'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import type { Turned } from './turn.ts'
import { pageAt } from './turn.ts'

/** The page of now, and how somebody turns to another. */
export function useTurning(pages: number): { readonly shown: number; turn(to: number): void } {
  const [turned, setTurned] = useState<Turned | null>(null)
  const shown = useByNow((now) => pageAt(pages, turned, now))
  return { shown, turn: (to) => setTurned({ page: (to + pages) % pages, at: serverNow() }) }
}
