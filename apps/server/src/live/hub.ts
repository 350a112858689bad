import type { CommandRecord, EventRecord, SettingChange } from '@linewarden/contract'
import type { PlantGateway, PlantLine } from './plant.ts'

/** What the house tells itself after a commit; never before. */
export interface Committed {
  /** Lines whose live values or states moved. Read their present state from the plant. */
  readonly lines?: readonly PlantLine[]
  readonly gateways?: readonly PlantGateway[]
  readonly events?: readonly { readonly event: EventRecord; readonly isNew: boolean; readonly projectId: number }[]
  readonly commands?: readonly { readonly command: CommandRecord; readonly projectId: number }[]
  readonly changes?: readonly { readonly change: SettingChange; readonly gateway: PlantGateway }[]
  /** Projects whose tree changed. */
  readonly trees?: readonly number[]
  /** Live position and other reports, and gateway results, for commands that wait for proof. */
  readonly positions?: readonly PositionReport[]
  readonly reports?: readonly StateReport[]
  readonly results?: readonly CommandResult[]
  /** Live reports of settings, also of what stood there already: that too is proof. */
  readonly readBacks?: readonly ReadBack[]
}

/** Who may see or do something else than a moment ago: these accounts, or everybody who stands in these owners' trees. */
export type RightsChange = { readonly accounts: readonly string[] } | { readonly trees: readonly (string | null)[] }

export interface PositionReport {
  readonly line: PlantLine
  readonly value: 'open' | 'closed'
  /** Device time and receive time, Unix ms. */
  readonly deviceAt: number
  readonly receivedAt: number
}

export interface ReadBack {
  readonly gateway: PlantGateway
  /** Null: of the gateway itself. */
  readonly line: PlantLine | null
  readonly key: string
  readonly value: number
  readonly deviceAt: number
  readonly receivedAt: number
}

/** A live report of a state or a setting, of a line that awaits one. */
export interface StateReport {
  readonly line: PlantLine
  readonly of: 'state' | 'setting'
  readonly key: string
  readonly value: string | number
  readonly deviceAt: number
  readonly receivedAt: number
}

export interface CommandResult {
  readonly commandId: string
  readonly gateway: PlantGateway
  readonly status: 'accepted' | 'refused'
  readonly reason: string | null
  readonly receivedAt: number
}

type Listener = (committed: Committed) => void

/** After-commit fan-out inside the process. A listener that throws is reported and does not stop the others. */
export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  publish(committed: Committed): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
