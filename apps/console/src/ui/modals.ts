import { create } from 'zustand'

/** In each open modal dialog, the foremost last: where it says what is only said for a moment. */
const useModals = create<{ readonly regions: readonly Element[] }>(() => ({ regions: [] }))

/** The foremost modal dialog's; null: none is open. All behind a modal dialog is covered, and what appears there is not announced. */
export const useForemost = (): Element | null => useModals(({ regions }) => regions.at(-1) ?? null)

export const isCovered = (): boolean => useModals.getState().regions.length > 0

/** A modal dialog has opened before all others. Answers how to say that it has closed. */
export function inFront(region: Element): () => void {
  useModals.setState(({ regions }) => ({ regions: [...regions, region] }))
  return () => useModals.setState(({ regions }) => ({ regions: regions.filter((each) => each !== region) }))
}
