import { appendFileSync } from 'node:fs'

/** One command as the equipment met it. Tests believe this log, never the server's word. */
export interface ExecutedEntry {
  /** Unix ms. */
  readonly at: number
  readonly gateway: string
  readonly controllerId: string
  readonly lineNo: number
  readonly id: string
  readonly action: string
  readonly deadline: number
  readonly fence: number
  readonly outcome: 'executed' | 'refused'
  readonly reason: string | null
  readonly positionBefore: string | null
  readonly positionAfter: string | null
}

/** Append-only, written before anything is reported. */
export class ExecutedLog {
  readonly #entries: ExecutedEntry[] = []
  readonly #file: string | null

  constructor(file: string | null) {
    this.#file = file
  }

  append(entry: ExecutedEntry): void {
    this.#entries.push(entry)
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }

  get entries(): readonly ExecutedEntry[] {
    return this.#entries
  }
}
