import type { Text } from '@linewarden/equipment'

/** How an item is answered, beside ok or defect: by a figure in a range, by one of several choices, or by a photo that is always taken. */
export const itemKinds = ['yesNo', 'number', 'choice', 'photo'] as const
export type ItemKind = (typeof itemKinds)[number]

/** One thing that is looked at. */
export interface ChecklistItem {
  /** Stays the same for ever: answers and hazards go by it. */
  readonly id: string
  readonly text: Text
  readonly kind: ItemKind
  /** Of a number: what is in order; null: no bound on that side. */
  readonly min: number | null
  readonly max: number | null
  readonly unit: string
  /** Of a choice: what can be chosen, and what of it is in order. */
  readonly choices: readonly { readonly id: string; readonly text: Text; readonly ok: boolean }[]
  /** The standard that asks for it, or that it is ours. */
  readonly source: Text
  /** So often, where the standard says it. */
  readonly everyDays: number | null
}

export const answerResults = ['ok', 'defect', 'none', 'impossible'] as const
export type AnswerResult = (typeof answerResults)[number]

export const photoDemands = ['never', 'defect', 'always'] as const
export type PhotoDemand = (typeof photoDemands)[number]

export const signatureDemands = ['none', 'inspector', 'both'] as const
export type SignatureDemand = (typeof signatureDemands)[number]

/** By its label, or from the list where that cannot be read. */
export const arrivals = ['qr', 'list'] as const
export type Arrival = (typeof arrivals)[number]
