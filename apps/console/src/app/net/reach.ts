import { create } from 'zustand'
import { serverNow } from '../../ui/use-now.ts'

/** Since when no request reaches the server; null: the last one did. The live socket alone may be away where a proxy forbids it. */
export const useReach = create<{
  awaySince: number | null
  /** So many parts of the page were not told how their lines stand when they asked. */
  unheard: number
}>(() => ({ awaySince: null, unheard: 0 }))

/** A request came back, or did not. */
export function reached(did: boolean): void {
  const { awaySince } = useReach.getState()
  if (did !== (awaySince === null)) useReach.setState({ awaySince: did ? null : serverNow() })
}

/** Lines were asked for and not told, while other calls may be answered; call what is returned when they are told again. */
export function unheard(): () => void {
  const add = (count: number) => useReach.setState((before) => ({ unheard: before.unheard + count }))
  add(1)
  return () => add(-1)
}

let doubt: () => void = () => {}

/** Who keeps the live connection is told when anything else gets no answer. */
export function onUnanswered(listener: () => void): void {
  doubt = listener
}

/** A call got no answer: whether the live connection still lives is worth asking. */
export const unanswered = (): void => doubt()
