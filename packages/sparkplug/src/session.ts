/** Why a message of an edge node cannot be taken as it stands. Each is mended by a rebirth. */
export type SessionProblem = 'not_born' | 'device_not_born' | 'seq_gap'
export type Verdict = 'ok' | 'duplicate' | SessionProblem

const rebirthEveryMs = 5_000

/**
 * The host's view of one edge node's session: birth, sequence and rebirth. Time comes in as an argument; it does nothing by itself.
 * Sequence numbers run 0..255 over all messages of the edge node except NDEATH; a birth starts them at 0.
 */
export class EdgeSession {
  bdSeq: number | null = null
  #born = false
  #seq = 0
  #devices = new Set<string>()
  #rebirthAskedAt = Number.NEGATIVE_INFINITY

  get born(): boolean {
    return this.#born
  }

  /** NBIRTH: starts a new session; devices must be born again. */
  birth(seq: number | null, bdSeq: number | null): Verdict {
    if (seq !== 0) return 'seq_gap'
    this.#born = true
    this.#seq = 0
    this.#devices = new Set()
    this.bdSeq = bdSeq
    return 'ok'
  }

  /** DBIRTH, DDEATH, NDATA, DDATA. `redelivered` is the MQTT DUP flag: then the last number may come once more. */
  next(seq: number | null, redelivered: boolean): Verdict {
    if (!this.#born) return 'not_born'
    if (redelivered && seq === this.#seq) return 'duplicate'
    if (seq !== (this.#seq + 1) % 256) return 'seq_gap'
    this.#seq = seq
    return 'ok'
  }

  deviceBorn(device: string): void {
    this.#devices.add(device)
  }

  deviceDied(device: string): void {
    this.#devices.delete(device)
  }

  knows(device: string): boolean {
    return this.#devices.has(device)
  }

  /** NDEATH. An old one, of a session before this, is ignored: answers false. */
  death(bdSeq: number | null): boolean {
    if (bdSeq !== null && this.bdSeq !== null && bdSeq !== this.bdSeq) return false
    this.end()
    return true
  }

  /** The connection is gone; everything must be born again. */
  end(): void {
    this.#born = false
    this.#devices = new Set()
  }

  /** Whether to ask for a rebirth now; at most once in five seconds, because a storm of births is worse than a late one. */
  askRebirth(nowMs: number): boolean {
    if (nowMs - this.#rebirthAskedAt < rebirthEveryMs) return false
    this.#rebirthAskedAt = nowMs
    return true
  }
}
