import { dayMs, hourMs } from '@linewarden/equipment'
import { Nightly } from '@linewarden/server/nightly'
import { readScenario, readTarget } from '@linewarden/simulator'
import { pino } from 'pino'
import { vi } from 'vitest'
import { rollUpDue } from '../../../apps/server/src/store/history/rollup.ts'
import type { Stack } from '../stack.ts'

const nightAfterMs = 30 * 60_000
const chinaOffsetMs = 8 * hourMs

/** The clock of a plant and of its server: it moves when it is set, and not otherwise. */
export interface SetClock {
  now: number
}

/**
 * Lets a fleet live through days in seconds: every reading goes over the real wire, on a clock that is set, and faults of a scenario come
 * when they are due. After each local midnight the hours are rolled up and lines are evaluated, as the server does by itself.
 */
export class QuickDays {
  readonly #stack: Stack
  readonly #clock: SetClock
  readonly #began: number
  readonly #steps: ReturnType<typeof readScenario>['steps']
  #next = 0
  /** Who evaluates lines at night; null: nobody, as while the server is down. */
  nightly: Nightly | null = null

  private constructor(stack: Stack, clock: SetClock, scenario: string) {
    this.#stack = stack
    this.#clock = clock
    this.#began = clock.now
    this.#steps = [...readScenario(scenario).steps].sort((a, b) => a.afterMs - b.afterMs)
  }

  /** `scenario` counts from now, which is a local midnight. The server itself evaluates nothing by the clock of this machine any more. */
  static async begin(stack: Stack, clock: SetClock, scenario: string): Promise<QuickDays> {
    await stack.server.warning.nightly.close()
    const days = new QuickDays(stack, clock, scenario)
    days.nightly = days.anotherServer()
    return days
  }

  /** Evaluates lines as a server does that has just started. */
  anotherServer(): Nightly {
    const { database, plant, hub, warning } = this.#stack.server
    const log = pino({ level: 'warn' })
    return new Nightly({ database, plant, hub, clock: () => this.#clock.now, log, rules: warning.rules })
  }

  /** Goes on until so many days after the beginning; equipment reports every `everyMs`. */
  async goTo(day: number, everyMs = hourMs): Promise<void> {
    const end = this.#began + day * dayMs
    while (this.#clock.now < end) {
      const due = this.#began + (this.#steps[this.#next]?.afterMs ?? Number.POSITIVE_INFINITY)
      const [before, now] = [this.#clock.now, Math.min(end, this.#clock.now + everyMs, due)]
      this.#clock.now = now
      await this.#happen()
      await this.#report()
      if (nightOf(before) !== nightOf(now)) await this.lookAtNight()
    }
  }

  /** Rolls up what is over, and evaluates every day that is due. */
  async lookAtNight(): Promise<void> {
    const { database, warning, ingest } = this.#stack.server
    await ingest.drained()
    const client = await database.connect()
    await rollUpDue(client, new Date(this.#clock.now)).finally(() => client.end())
    await this.nightly?.look()
    await warning.occurrences.look()
    await warning.book.write()
  }

  async #happen(): Promise<void> {
    const { fleet } = this.#stack
    for (let step = this.#steps[this.#next]; step; step = this.#steps[++this.#next]) {
      if (this.#began + step.afterMs > this.#clock.now) break
      const target = readTarget(step.target, (number) => fleet.gateways.has(number))
      fleet.run(step.fault, target, step.given)
      if (!('gateway' in target)) continue
      const gateway = fleet.gateways.get(target.gateway)
      // By the time that it is told of the next thing the connection is what the fault made it.
      await vi.waitFor(() => {
        const known = this.#stack.server.plant.gatewayByNumber.get(target.gateway)
        const isCut = step.fault === 'gatewayOffline'
        if (gateway?.isBorn === isCut || (known?.link === 'offline') !== isCut) throw new Error(`${step.target}: ${step.fault}`)
      }, 30_000)
    }
  }

  async #report(): Promise<void> {
    for (const gateway of this.#stack.fleet.gateways.values()) {
      gateway.advance()
      await gateway.report(true)
      // What it kept while it was away goes with its steps.
      if (gateway.isBorn) await gateway.step()
    }
    await this.#stack.server.ingest.drained()
  }
}

/** The local night that a moment comes after. */
const nightOf = (at: number): number => Math.floor((at + chinaOffsetMs - nightAfterMs) / dayMs)
