import type { Family } from '@linewarden/equipment'

/** What a device says of itself at birth. */
export interface DeviceBirth {
  readonly wireId: string
  readonly family: Family
  readonly model: string
  readonly name: string | null
  readonly firmware: string | null
  /** 0: it reports when something changes; null: as its gateway does. */
  readonly reportingPeriodMs: number | null
  readonly lines: readonly { readonly lineNo: number; readonly name: string | null; readonly ratedCurrentA: number | null }[]
}
