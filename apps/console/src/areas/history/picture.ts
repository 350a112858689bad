import type { EventRecord, ZoneClock } from '@linewarden/contract'
import type { TimeRange } from './address.ts'
import type { Panel } from './panels.ts'

export interface Screen {
  readonly narrow: boolean
  readonly tall: boolean
}

/** All that is drawn, and how. */
export interface Picture extends Screen {
  readonly panels: readonly Panel[]
  readonly events: readonly EventRecord[]
  readonly zone: ZoneClock
  readonly range: TimeRange
  /** How much later the present period is than the previous one. */
  readonly previousMs: number
  /** The value of a colour token. */
  readonly token: (name: string) => string
  /** The hatch of missing data. */
  readonly hatch: object
  readonly words: { readonly late: string }
}

/** The smallest type of the page, in px. */
export const labelSize = (token: Picture['token']): number => Number.parseInt(token('--t-11'), 10) || 11
