import { create } from 'zustand'
import { serverNow } from '../../ui/use-now.ts'

/** Since when no request reaches the server; null: the last one did. The live socket alone may be away where a proxy forbids it. */
export const useConnectivity = create<{
  awaySince: number | null
  /** So many parts of the page asked for the state of their lines and got no answer. */
  staleParts: number
}>(() => ({ awaySince: null, staleParts: 0 }))

/** A request came back, or did not. */
export function reached(did: boolean): void {
  const { awaySince } = useConnectivity.getState()
  if (did !== (awaySince === null)) useConnectivity.setState({ awaySince: did ? null : serverNow() })
}

/** Lines were asked for without an answer, while other calls may be answered; call what is returned when they are answered again. */
export function noteStalePart(): () => void {
  const add = (count: number) => useConnectivity.setState((before) => ({ staleParts: before.staleParts + count }))
  add(1)
  return () => add(-1)
}

/** Called when a request comes back after none did. */
export const onReached = (listener: () => void): (() => void) =>
  useConnectivity.subscribe((now, before) => {
    if (now.awaySince === null && before.awaySince !== null) listener()
  })

let verifyLink: () => void = () => {}

/** The keeper of the live connection is notified when any other call gets no answer. */
export function onUnanswered(listener: () => void): void {
  verifyLink = listener
}

/** A call got no answer: whether the live connection still lives is worth asking. */
export const unanswered = (): void => verifyLink()
