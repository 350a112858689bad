import type { LineDetails } from '@linewarden/contract'

/** What is effective of each setting, by its key; null: not known. */
export const effectiveIn =
  (settings: LineDetails['Settings']) =>
  (key: string): number | null =>
    settings.find(({ Key }) => Key === key)?.Effective ?? null
