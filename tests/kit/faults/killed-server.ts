import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { serverFlags } from '../../../scripts/node-flags.mjs'
import type { FromServer, ToServer } from './server-words.ts'

/** Where it ends: before or after the nth statement of a connection on which one has matched. */
export type KillPoint = Omit<Extract<ToServer, { do: 'kill' }>, 'do' | 'pid'>

/** The real server in a process of its own, which is ended by SIGKILL again and again, and started again. */
export class KilledServer {
  readonly #env: Readonly<Record<string, string>>
  #aheadMs: number
  #dueAheadMs: number | null
  #child: ChildProcess | null = null
  #at = { url: '', mqttPort: 0 }

  /** `aheadMs`: how far its clock is ahead of the machine's; `dueAheadMs`: the one by which things are due, null: that is the database's. */
  constructor(env: Readonly<Record<string, string>>, aheadMs: number, dueAheadMs: number | null = null) {
    this.#env = env
    this.#aheadMs = aheadMs
    this.#dueAheadMs = dueAheadMs
  }

  get at(): { readonly url: string; readonly mqttPort: number } {
    return this.#at
  }

  readonly now = (): number => Date.now() + this.#aheadMs

  async start(): Promise<void> {
    const child = fork('tests/kit/faults/server-process.ts', [], {
      execArgv: [...serverFlags],
      env: { ...process.env, ...this.#env, CLOCK_AHEAD_MS: String(this.#aheadMs), ...this.#dueClock() },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    const word = await answerOf(child, (each) => 'url' in each)
    if (!word || !('url' in word)) throw new Error('the server did not start')
    this.#at = word
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** False: it ended before it answered. */
  async order(word: ToServer): Promise<boolean> {
    const child = this.#child
    if (!child || !this.isAlive) return false
    const answer = answerOf(child, (each) => 'done' in each && each.done === word.do)
    child.send(word, () => {})
    return (await answer) !== null
  }

  async ahead(ms: number): Promise<void> {
    this.#aheadMs += ms
    await this.order({ do: 'ahead', ms: this.#aheadMs })
  }

  /** Sets both clocks; what stands still, or ends, has them when it goes on. */
  set(aheadMs: number, dueAheadMs: number): void {
    this.#aheadMs = aheadMs
    this.#dueAheadMs = dueAheadMs
    if (!this.isAlive) return
    this.#child?.send({ do: 'ahead', ms: aheadMs } satisfies ToServer, () => {})
    this.#child?.send({ do: 'dueAhead', ms: dueAheadMs } satisfies ToServer, () => {})
  }

  /** It stands still, as a machine does that swaps, until it is told to go on. */
  standStill(does: boolean): void {
    if (this.isAlive) this.#child?.kill(does ? 'SIGSTOP' : 'SIGCONT')
  }

  #dueClock(): Readonly<Record<string, string>> {
    return this.#dueAheadMs === null ? {} : { DUE_AHEAD_MS: String(this.#dueAheadMs) }
  }

  /**
   * Does something while it is to end at a point, and ends it afterwards where it never came there; then starts it again. Answers whether it
   * ended at the point. `isDone`: what was done stands, as far as a server that goes on would do it by itself.
   */
  async killedWhile(point: KillPoint, work: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<boolean> {
    await this.order({ do: 'kill', ...point })
    const working = work().catch(() => {})
    while (this.isAlive && !(await isDone())) await wait(20)
    const ended = !this.isAlive
    await this.end()
    await this.start()
    await working
    return ended
  }

  async end(): Promise<void> {
    const child = this.#child
    if (!child || !this.isAlive) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/** The first word that is wanted; null: the process has ended. */
function answerOf(child: ChildProcess, isWanted: (word: FromServer) => boolean): Promise<FromServer | null> {
  return new Promise((resolve) => {
    const onMessage = (word: FromServer) => isWanted(word) && finish(word)
    const onExit = () => finish(null)
    const finish = (word: FromServer | null) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(word)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}
