import { create } from 'zustand'

/** How many bytes of a photo the server has, by its hash: for who looks on. */
const useReceived = create<{ readonly bytes: ReadonlyMap<string, number> }>(() => ({ bytes: new Map() }))

export const usePieces = <T>(of: (bytes: ReadonlyMap<string, number>) => T): T => useReceived(({ bytes }) => of(bytes))

export const received = (hash: string, sofar: number): void =>
  useReceived.setState(({ bytes }) => ({ bytes: new Map(bytes).set(hash, sofar) }))

/** Where sending goes on after it was interrupted. */
export const receivedOf = (hash: string): number => useReceived.getState().bytes.get(hash) ?? 0
