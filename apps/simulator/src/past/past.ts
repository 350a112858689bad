import { setImmediate } from 'node:timers/promises'
import type { Text } from '@linewarden/equipment'
import { lockoutCause } from '@linewarden/rules/control'
import type { SimulatedDevice } from '../device.ts'
import { happeningOf } from '../faults/inject.ts'
import type { Fleet } from '../fleet.ts'
import type { SimulatedGateway } from '../gateway.ts'
import { close, open, testRelease } from '../plant/line.ts'
import type { Random } from '../random.ts'
import { seededRandom } from '../random.ts'
import { readTarget } from '../script/scenario.ts'
import type { AlarmChange } from './alarms.ts'
import { LineAlarms } from './alarms.ts'
import type { ChannelPast } from './channel.ts'
import { Channel } from './channel.ts'
import type { GatewayStory, PastReaction, PastStep } from './story.ts'
import { timeCells } from './time-cells.ts'

/** Something that was reported once, or done. */
export type PastFact = { readonly at: number } & (
  | ({ readonly kind: 'alarm' } & Place & AlarmChange)
  | ({ readonly kind: 'position'; readonly value: 'open' | 'closed' } & Place)
  /** A trip whose cause a person must record. */
  | ({ readonly kind: 'lockout'; readonly cause: string } & Place)
  | ({ readonly kind: 'operation'; readonly action: 'trip' | 'close' | 'selfTest'; readonly reason: Text } & Place & {
        /** Of a self-test: how long the release took; null: it did not open. */
        readonly tripMs: number | null
      })
  | { readonly kind: 'link'; readonly gateway: string; readonly value: 'offline' | 'online' }
)

interface Place {
  readonly controllerId: string
  readonly lineNo: number
}

/** What a plant went through, as its gateways reported it. */
export interface Past {
  readonly channels: readonly ChannelPast[]
  /** In the order of time. */
  readonly facts: readonly PastFact[]
}

/** The time of a fleet that goes through its past first. */
export class PlantClock {
  /** Null: the present. */
  past: number | null

  constructor(past: number | null) {
    this.past = past
  }

  readonly now = (): number => this.past ?? Date.now()
}

interface Going {
  readonly stories: ReadonlyMap<string, GatewayStory>
  readonly until: number
  readonly seed: number
  /** Called with what a gateway reported as soon as all of it is known. */
  readonly onLived?: (channels: readonly ChannelPast[]) => void
}

/**
 * Lets a fleet that is not connected yet go through its past, gateway by gateway, with the physics that it has in the present, and leaves it
 * as it is at `until`. Whatever was read is gathered, and alarms are evaluated by the server's own rules. Others have their turn meanwhile.
 */
export async function livePast(fleet: Fleet, clock: PlantClock, { stories, until, seed, onLived }: Going): Promise<Past> {
  const random = seededRandom(seed)
  const lives = [...fleet.gateways.values()].flatMap((gateway) => {
    const story = stories.get(gateway.number)
    return story ? [new GatewayPast(gateway, story, until, random)] : []
  })
  for (const life of lives) {
    await life.live(clock)
    onLived?.(life.channels)
  }
  clock.past = until
  return {
    channels: lives.flatMap(({ channels }) => channels),
    facts: lives.flatMap(({ facts }) => facts).sort((a, b) => a.at - b.at),
  }
}

/** So long it goes on by itself before others have their turn. */
const turnMs = 10

/** From an alarm to the order that it brings about. */
const reactedAfterMs = 60

/** One gateway's way through its past. */
class GatewayPast {
  readonly channels: readonly Channel[]
  readonly facts: PastFact[] = []
  readonly #gateway: SimulatedGateway
  readonly #story: GatewayStory
  readonly #until: number
  readonly #random: Random
  readonly #watched: readonly Watched[]
  #cutUntil = Number.NEGATIVE_INFINITY

  constructor(gateway: SimulatedGateway, story: GatewayStory, until: number, random: Random) {
    this.#gateway = gateway
    this.#story = story
    this.#until = until
    this.#random = random
    this.#watched = gateway.devices().flatMap((device) => {
      const numbers = device.detector ? [0] : [...device.lines.keys()]
      return numbers.map((lineNo) => watch(device, lineNo, story.from, until))
    })
    this.channels = this.#watched.map(({ channel }) => channel)
  }

  async live(clock: PlantClock): Promise<void> {
    let begun = performance.now()
    const steps = [...this.#story.steps].sort((a, b) => a.at - b.at)
    const moments = steps.map(({ at }) => at)
    let next = 0
    for (const { from, ms, kept } of timeCells(this.#story.from, this.#until, moments)) {
      if (performance.now() - begun > turnMs) {
        await setImmediate()
        begun = performance.now()
      }
      const at = from + ms / 2
      clock.past = at
      for (let step = steps[next]; step && step.at <= at; step = steps[++next]) this.#happen(step)
      this.#gateway.advance()
      this.#noteLink(at)
      if (at < this.#cutUntil) continue
      for (const each of this.#watched) this.#look(each, at, ms, kept)
    }
  }

  #happen(step: PastStep): void {
    if ('cutForMs' in step) {
      this.#cutUntil = step.at + step.cutForMs
      this.facts.push({ kind: 'link', gateway: this.#gateway.number, value: 'offline', at: step.at })
      return
    }
    const target = readTarget(step.target, (number) => number === this.#gateway.number)
    if ('fault' in step) {
      happeningOf(step.fault, this.#gateway, target, step.given ?? {})(this.#gateway.courses)
      return
    }
    if (!('controllerId' in target)) throw new Error(`${step.target} is no line`)
    const { controllerId, lineNo = 1 } = target
    const line = this.#gateway.line(controllerId, lineNo)
    const { operate: action, reason, at } = step
    const tripMs = action === 'selfTest' ? testRelease(line, this.#random) : null
    if (action === 'trip') open(line, 'remote')
    if (action === 'close') close(line)
    this.facts.push({ kind: 'operation', action, reason, tripMs, at, controllerId, lineNo })
  }

  #noteLink(at: number): void {
    const back = this.#cutUntil
    if (back > at || back === Number.NEGATIVE_INFINITY) return
    this.#cutUntil = Number.NEGATIVE_INFINITY
    this.facts.push({ kind: 'link', gateway: this.#gateway.number, value: 'online', at: back })
  }

  #look({ channel, alarms, place, device, reported }: Watched, at: number, ms: number, kept: boolean): void {
    const values = channel.readNow()
    channel.add(values, at, ms)
    if (kept) channel.keep(values, at)
    const line = device.lines.get(place.lineNo)
    const tripped = line?.tripReadings ? channel.readAt(line.tripReadings) : null
    if (line) {
      // What was read at a trip is of the past, and nothing to say when the gateway connects.
      line.tripReadings = null
      if (tripped) channel.keep(tripped, at - ms / 4)
      const [before, cause] = [reported.cause, line.tripCause]
      reported.cause = cause
      const lockout = lockoutCause({ state: 'trip.cause', before, value: cause }, cause)
      if (lockout !== null) this.facts.push({ kind: 'lockout', cause: lockout, at, ...place })
      if (reported.position !== line.position) this.facts.push({ kind: 'position', value: line.position, at, ...place })
      reported.position = line.position
    }
    for (const change of alarms.evaluate(values, tripped ?? values, at)) {
      this.facts.push({ kind: 'alarm', ...change, at, ...place })
      if (change.act === 'raise') this.#react(place, change.alarm.key, at)
    }
  }

  /** What is tripped by itself reports that it has opened at the next look. */
  #react({ controllerId, lineNo }: Place, key: string, at: number): void {
    const isOf = (each: PastReaction) => each.controllerId === controllerId && each.lineNo === lineNo && each.key === key
    for (const { trips, reason } of (this.#story.reactions ?? []).filter(isOf))
      for (const trip of trips) {
        const target = readTarget(trip, (number) => number === this.#gateway.number)
        if (!('controllerId' in target)) throw new Error(`${trip} is no line`)
        const tripped = { controllerId: target.controllerId, lineNo: target.lineNo ?? 1 }
        open(this.#gateway.line(tripped.controllerId, tripped.lineNo), 'remote')
        this.facts.push({ kind: 'operation', action: 'trip', reason, tripMs: null, at: at + reactedAfterMs, ...tripped })
      }
  }
}

interface Watched {
  readonly place: Place
  readonly device: SimulatedDevice
  readonly channel: Channel
  readonly alarms: LineAlarms
  /** What it reported last. */
  readonly reported: { position: string; cause: string }
}

function watch(device: SimulatedDevice, lineNo: number, from: number, until: number): Watched {
  const line = device.lines.get(lineNo)
  return {
    place: { controllerId: device.controllerId, lineNo },
    device,
    channel: new Channel(device, lineNo, from, until),
    alarms: new LineAlarms(device, lineNo),
    reported: { position: line?.position ?? '', cause: line?.tripCause ?? '' },
  }
}
