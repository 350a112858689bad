import { createHash } from 'node:crypto'
import type { SettingSource } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import type { BypassKey } from '../../store/settings/stored-bypass.ts'

/** Who orders: a person with a session, or the server when an expiry is reached. */
export type Orderer = Pick<Actor, 'userName' | 'address' | 'shared'> & { readonly accountId: string | null }

/** Values for one line, or for a gateway itself. */
export interface Order {
  readonly gateway: PlantGateway
  readonly line: PlantLine | null
  readonly commandId: string
  readonly wanted: Readonly<Record<string, number>>
}

/** What is the same for every target of one intent. */
export interface Intent {
  readonly orderer: Orderer
  readonly batchId: string
  readonly source: SettingSource
  readonly reason: string
  readonly offUntil: number | null
  readonly template: string | null
  readonly undoes: string | null
  /** A person takes this change back, and says what they saw standing there. */
  readonly undo: Undo | null
  /** Bypassed protections that this restores. */
  readonly restores: readonly BypassKey[]
  /** Last check before anything is stored; throws. */
  readonly proveOrderer: () => Promise<void>
}

export interface Undo {
  readonly change: StoredChange
  readonly seen: ReadonlyMap<string, number>
}

/** The id of one target's order within a batch: the same batch sent again finds what it ordered before. */
export function commandIdOf(batchId: string, lineId: number): string {
  const hex = createHash('sha256').update(`${batchId.toLowerCase()} ${lineId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
