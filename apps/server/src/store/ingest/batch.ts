import type { AlarmKind, Priority, StateAlarm, Text } from '@linewarden/equipment'
import { SLOTS } from '@linewarden/equipment'
import type { Birth, CommandResult, ReadBack, StateReport } from '../../plant/hub.ts'
import type { PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { FoldedAside } from '../alarm/fold.ts'

export const rowsPerBatch = 5_000
const nothingFolded: FoldedAside = { moved: [], failed: null }

/** An alarm raised or returned, a journal entry, or an event that was back-filled. */
export interface EventDraft {
  readonly act: 'raise' | 'return' | 'note'
  readonly kind: AlarmKind | 'journal'
  readonly priority: Priority
  readonly key: string
  readonly label: Text
  readonly point: string | null
  readonly value: number | null
  readonly limit: number | null
  readonly unit: string
  readonly gateway: PlantGateway
  /** Where it is of a whole device. */
  readonly device?: PlantDevice
  readonly line: PlantLine | null
  /** Device time, Unix ms. */
  readonly at: number
  readonly historical: boolean
  /** The value that the equipment itself evaluated, to be found among what came with it. */
  readonly judges?: StateAlarm['judges']
}

export interface LinkChange {
  readonly gateway: PlantGateway
  readonly link: PlantGateway['link']
  readonly reason: string | null
  readonly at: number
  readonly bdSeq: number | null
  /** How often it says that it reports; null: it did not say. */
  readonly reportingPeriodMs: number | null
}

export interface DeviceLinkChange {
  readonly link: PlantDevice['link']
  readonly reason: string | null
  readonly at: number
}

export interface Quarantined {
  readonly number: string | null
  readonly topic: string
  readonly reason: string
  readonly detail: string
  readonly payload: Uint8Array
  readonly at: number
}

/** States a line reported. */
export interface ReportedStates {
  /** Receive time of the newest, Unix ms. */
  at: number
  readonly changed: Map<string, string>
  positionAt: number | null
  /** Since when the position is what it is; null: it moved and nobody knows when. Absent: that has not changed. */
  positionSince?: number | null
}

/** A trip for a cause that a person must explain. */
export interface TripLockout {
  readonly cause: string
  /** Device time, Unix ms. */
  readonly at: number
  /** Which trip of its line it is, once it is stored. */
  no: number | null
}

/** Where a line's rows in a batch begin: the batch keeps which row comes before which. */
export interface RowCursor {
  readonly line: PlantLine
  /** Number of the batch that holds its last row, and that row. */
  batch: number
  row: number
}

/** Everything that goes into one transaction, in flat arrays for the rows because there are many. */
export class Batch {
  number: number
  count = 0
  readonly lines: PlantLine[] = []
  readonly at: Float64Array
  readonly receivedAt: Float64Array
  readonly quality: Uint8Array
  /** Whether the row moves the live value. */
  readonly live: Uint8Array
  /** Bit per slot: the message spoke of it. A bit with NaN is a value reported as missing. */
  readonly mask: Uint32Array
  readonly values: Float64Array
  /** The row before of the same line in this batch; -1: there is none. */
  readonly before: Int32Array
  readonly states = new Map<PlantLine, ReportedStates>()
  /** Lines that tripped for a cause that a person must explain, with the device time of the report. */
  readonly lockouts = new Map<PlantLine, TripLockout>()
  readonly settings: { line: PlantLine; key: string; value: number; at: number }[] = []
  readonly recordings: { line: PlantLine; key: string; at: number; receivedAt: number; samples: Buffer }[] = []
  readonly events: EventDraft[] = []
  /** How many of the events have been looked through for what their equipment evaluated. */
  measured = 0
  readonly links: LinkChange[] = []
  /** Of devices behind their gateways, the last word of each. */
  readonly deviceLinks = new Map<PlantDevice, DeviceLinkChange>()
  /** How strongly gateways hear their network, the last word of each; null: it does not know any more. */
  readonly signals = new Map<PlantGateway, { readonly dbm: number; readonly at: number } | null>()
  /** Whether gateways say that their clock is synchronised, the last word of each; null: not known. */
  readonly clocks = new Map<PlantGateway, boolean | null>()
  births: Birth[] = []
  /** Of what the database refused, filled by the commit. */
  readonly quarantine: Quarantined[] = []
  /** What its events have changed of incidents, filled by the commit. */
  folding: FoldedAside = nothingFolded
  reports: StateReport[] = []
  results: CommandResult[] = []
  readBacks: ReadBack[] = []
  positionInvalidated = new Set<PlantGateway | PlantDevice | PlantLine>()
  readonly trees = new Set<number>()
  readonly pendingAcks: (() => void)[] = []
  /** What the database refused of all this, row numbers and the things themselves: none of it is so. */
  readonly refused = new Set<object | number>()

  constructor(number: number, capacity = rowsPerBatch + 5_000) {
    this.number = number
    this.at = new Float64Array(capacity)
    this.receivedAt = new Float64Array(capacity)
    this.quality = new Uint8Array(capacity)
    this.live = new Uint8Array(capacity)
    this.mask = new Uint32Array(capacity)
    this.values = new Float64Array(capacity * SLOTS)
    this.before = new Int32Array(capacity)
  }

  /** Emptied, to be filled again under another number: the big arrays are kept. */
  reuse(number: number): Batch {
    this.number = number
    this.count = 0
    this.measured = 0
    this.lines.length = 0
    this.states.clear()
    this.lockouts.clear()
    this.births = []
    this.folding = nothingFolded
    this.signals.clear()
    this.clocks.clear()
    this.refused.clear()
    this.deviceLinks.clear()
    for (const list of [this.settings, this.recordings, this.events, this.links, this.quarantine, this.pendingAcks])
      list.length = 0
    this.reports = []
    this.results = []
    this.readBacks = []
    this.positionInvalidated = new Set()
    this.trees.clear()
    return this
  }

  get full(): boolean {
    return this.count >= rowsPerBatch
  }

  get empty(): boolean {
    return (
      this.count === 0 &&
      this.lockouts.size === 0 &&
      this.pendingAcks.length === 0 &&
      this.links.length === 0 &&
      this.deviceLinks.size === 0 &&
      this.births.length === 0 &&
      this.positionInvalidated.size === 0 &&
      this.signals.size === 0 &&
      this.clocks.size === 0 &&
      this.events.length === 0 &&
      this.recordings.length === 0
    )
  }

  /** The row of this line and time, begun if need be: values of one time stand in one row, however many messages bring them. */
  rowOf(cursor: RowCursor, at: number, receivedAt: number, quality: number): number {
    const last = this.lastRowOf(cursor)
    for (let known = last; known >= 0; known = this.before[known] ?? -1) if (this.at[known] === at) return known
    const row = this.count++
    cursor.batch = this.number
    cursor.row = row
    this.before[row] = last
    this.lines[row] = cursor.line
    this.at[row] = at
    this.receivedAt[row] = receivedAt
    this.quality[row] = quality
    this.live[row] = 0
    this.mask[row] = 0
    this.values.fill(Number.NaN, row * SLOTS, (row + 1) * SLOTS)
    return row
  }

  /** The newest row of a line in this batch, from which `before` leads to the others; -1: it has none. */
  lastRowOf(cursor: RowCursor): number {
    return cursor.batch === this.number ? cursor.row : -1
  }

  set(row: number, slot: number, value: number): void {
    this.values[row * SLOTS + slot] = value
    this.mask[row] = (this.mask[row] ?? 0) | (1 << slot)
  }
}
