import { create } from 'zustand'

/** Calls that wait for the password of somebody whom this device signed in from memory. */
export const useProof = create<{ waiting: readonly ((proved: boolean) => void)[] }>(() => ({ waiting: [] }))

/** Resolves when the person has given the password (true) or has not. */
export const askProof = (): Promise<boolean> =>
  new Promise((resolve) => useProof.setState(({ waiting }) => ({ waiting: [...waiting, resolve] })))

export function answerProof(proved: boolean): void {
  const { waiting } = useProof.getState()
  useProof.setState({ waiting: [] })
  for (const resolve of waiting) resolve(proved)
}
