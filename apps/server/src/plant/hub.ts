import type { LiveTopic } from './live-topics.ts'
import type { PlantDevice, PlantGateway, PlantLine } from './plant.ts'

/** What the house tells itself after a commit; never before. */
export interface Committed {
  /** Lines whose live values or states moved. Read their present state from the plant. */
  readonly lines?: readonly PlantLine[]
  /** Lines of which an alarm or another event is told: nobody waits for these with the values. */
  readonly withEvents?: readonly PlantLine[]
  /** What is published live, and to whom; the values of `lines` go to whoever watches them. */
  readonly live?: readonly LiveTopic[]
  readonly gateways?: readonly PlantGateway[]
  /** Live reports of settings and of the states that prove an action, and gateway results, for commands that wait for proof. */
  readonly reports?: readonly StateReport[]
  readonly readBacks?: readonly ReadBack[]
  readonly results?: readonly CommandResult[]
  /** Gateways that were born, and what they run. */
  readonly births?: readonly Birth[]
  /** Where something was lost, came late, or could not be read: a line may have opened and been closed again without our hearing of it. */
  readonly positionInvalidated?: ReadonlySet<PlantGateway | PlantDevice | PlantLine>
}

/** What a gateway says of itself at birth. Null: it did not say. */
export interface Birth {
  readonly gateway: PlantGateway
  readonly model: string | null
  readonly firmware: string | null
  /** It promises that its devices report by its period. */
  readonly keepsPeriod: boolean
  /** It began a new session; else it was only asked to say it again. */
  readonly restarted: boolean
  readonly receivedAt: number
}

/** Who may see or do something else than a moment ago: these accounts, or everybody who stands in these owners' tenants. */
export type RightsChange = { readonly accounts: readonly string[] } | { readonly tenants: readonly (string | null)[] }

export interface StateReport {
  readonly line: PlantLine
  readonly state: string
  readonly value: string
  /** The first of its session, as a birth tells it: nobody saw when it came to be so. */
  readonly first: boolean
  /** It was known to be something else before. */
  readonly changed: boolean
  /** Device time and receive time, Unix ms. */
  readonly deviceAt: number
  readonly receivedAt: number
}

/** A live report of a setting, also of one that stood there already: that too is proof. */
export interface ReadBack {
  readonly gateway: PlantGateway
  /** Null: of the gateway itself. */
  readonly line: PlantLine | null
  readonly key: string
  readonly value: number
  /** Device time and receive time, Unix ms. */
  readonly deviceAt: number
  readonly receivedAt: number
}

export interface CommandResult {
  readonly commandId: string
  readonly gateway: PlantGateway
  readonly status: 'accepted' | 'refused'
  readonly reason: string | null
  /** Of a leakage self-test: how long the breaker took to trip. */
  readonly tripMs: number | null
  readonly receivedAt: number
}

type Listener = (committed: Committed) => void

/** After-commit fan-out inside the process. A listener that throws is reported and does not stop the others. */
export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly #onError: (error: unknown) => void
  #early: Committed[] | null = null

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Keeps what is published while the house is being built, for those who come to listen a little later than equipment comes to speak. */
  keepEarly(): void {
    this.#early = []
  }

  /** What was published since `keepEarly`. */
  early(): Committed[] {
    return [...(this.#early ?? [])]
  }

  /** Everybody listens. */
  forgetEarly(): void {
    this.#early = null
  }

  publish(committed: Committed): void {
    this.#early?.push(committed)
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
