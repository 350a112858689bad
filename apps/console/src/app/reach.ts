import { create } from 'zustand'
import { serverNow } from '../ui/use-now.ts'

/** Since when no request reaches the server; null: the last one did. The live socket alone may be away where a proxy forbids it. */
export const useReach = create<{ awaySince: number | null }>(() => ({ awaySince: null }))

/** A request came back, or did not. */
export function reached(did: boolean): void {
  const { awaySince } = useReach.getState()
  if (did !== (awaySince === null)) useReach.setState({ awaySince: did ? null : serverNow() })
}
