import { connect } from 'node:net'
import { brokenFrames, brokenRequests, brokenUpgrades } from './broken-http.ts'
import { brokenConnects, brokenPackets } from './broken-mqtt.ts'
import { randomOf } from './random.ts'
import type { Kinds } from './random-bytes.ts'

export const doors = ['http', 'upgrade', 'mqtt'] as const
export type Door = (typeof doors)[number]

export interface Breaking {
  readonly door: Door
  readonly port: number
  readonly count: number
  readonly seed: number
  readonly atOnce?: number
  /** Each from another address of this machine, as only Linux has them: what limits by address would cut off is tried too. */
  readonly fromMany?: boolean
  /** The bytes that let somebody in, another time each: with it a third go wrong only behind the door. */
  readonly admission?: { readonly number: string; bytes(): Promise<string | Buffer> }
}

const atTheDoor: Readonly<Record<Door, Kinds>> = { http: brokenRequests, upgrade: brokenUpgrades, mqtt: brokenConnects }
const behindIt = (door: Door, number: string): Kinds => (door === 'mqtt' ? brokenPackets(number) : brokenFrames)
const ends = ['reset', 'close', 'answered'] as const

/** Opens so many connections that are malformed, half or cut off, some at once; resolves when all are over. `answers` counts statuses. */
export async function breakConnections({ door, port, count, seed, atOnce = 50, fromMany, admission }: Breaking): Promise<{
  /** Statuses of HTTP, return codes of MQTT; null: none came. */
  readonly answers: ReadonlyMap<number | null, number>
}> {
  const random = randomOf(seed)
  const answers = new Map<number | null, number>()
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const first = admission && random.below(3) === 0 ? await admission.bytes() : null
      const made = random.of(first === null ? atTheDoor[door] : behindIt(door, admission?.number ?? ''))(random)
      // Some end in the middle of what they would have said.
      const bytes = random.below(4) === 0 ? made.slice(0, random.below(made.length + 1)) : made
      const from = fromMany ? `127.${1 + random.below(250)}.${random.below(250)}.${1 + random.below(250)}` : undefined
      const answer = await breakOne({ door, port, from, bytes: first === null ? [bytes] : [first, bytes], end: random.of(ends) })
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { answers }
}

/** How long somebody waits for an answer who may have sent no whole request. */
const silenceMs = 1_000
/** Who may come in is answered, however busy the machine is. */
const admittedMs = 10_000

function answerOf(door: Door, data: Buffer): number | null {
  if (door === 'mqtt') return data[0] === 0x20 ? (data[3] ?? null) : null
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(String(data))?.[1]
  return status === undefined ? null : Number(status)
}

/** Somebody who speaks wrongly, or goes away in the middle. */
interface Broken {
  readonly door: Door
  readonly port: number
  readonly from: string | undefined
  readonly bytes: readonly (string | Buffer)[]
  readonly end: (typeof ends)[number]
}

function breakOne({ door, port, from, bytes, end }: Broken): Promise<number | null> {
  return new Promise((resolve) => {
    let answer: number | null = null
    const socket = connect({ port, host: '127.0.0.1', ...(from && { localAddress: from }) })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.on('data', (data) => {
      answer ??= answerOf(door, data)
      if (end === 'answered') socket.setTimeout(silenceMs)
      // Behind the door more comes than the answer that let it in.
      if (bytes.length === 1) socket.destroy()
    })
    const written = () => {
      if (end === 'reset') socket.resetAndDestroy()
      else if (end === 'close') socket.destroy()
      else socket.setTimeout(bytes.length === 1 || answer !== null ? silenceMs : admittedMs, () => socket.resetAndDestroy())
    }
    socket.on('connect', () => socket.write(Buffer.concat(bytes.map((each) => Buffer.from(each as string))), written))
  })
}
