import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { brokenFrames, brokenRequests, brokenUpgrades } from './broken-http.ts'
import { brokenConnects, brokenPackets } from './broken-mqtt.ts'
import { randomOf } from './random.ts'
import type { Kinds } from './random-bytes.ts'
import { noise, tlsHello } from './random-bytes.ts'

export const doors = ['http', 'upgrade', 'mqtt'] as const
export type Door = (typeof doors)[number]

export interface Breaking {
  readonly door: Door
  readonly port: number
  readonly count: number
  readonly seed: number
  /** The door speaks TLS: a quarter comes without it or breaks off its handshake, the others speak wrongly behind it. */
  readonly tls?: boolean
  readonly atOnce?: number
  /** Each from another address of this machine, as only Linux has them: what limits by address would cut off is tried too. */
  readonly fromMany?: boolean
  /** The bytes that let somebody in, another time each: with it a third go wrong only behind the door. */
  readonly admission?: { readonly number: string; bytes(): Promise<string | Buffer> }
}

const atTheDoor: Readonly<Record<Door, Kinds>> = { http: brokenRequests, upgrade: brokenUpgrades, mqtt: brokenConnects }
const behindIt = (door: Door, number: string): Kinds => (door === 'mqtt' ? brokenPackets(number) : brokenFrames)
const ends = ['reset', 'close', 'answered'] as const
/** What is no handshake. */
const withoutTls: Kinds = [noise, tlsHello, () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => '']

/** Opens so many connections that are malformed, half or cut off, some at once; resolves when all are over. `answers` counts statuses. */
export async function breakConnections(breaking: Breaking): Promise<{
  /** Statuses of HTTP, return codes of MQTT; null: none came. */
  readonly answers: ReadonlyMap<number | null, number>
}> {
  const { door, port, count, seed, tls = false, atOnce = 50, fromMany, admission } = breaking
  const random = randomOf(seed)
  const answers = new Map<number | null, number>()
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const isUnkeyed = tls && random.below(4) === 0
      const handshake = isUnkeyed ? random.of(['none', 'half'] as const) : tls ? 'whole' : 'none'
      const first = !isUnkeyed && admission && random.below(3) === 0 ? await admission.bytes() : null
      const kinds = isUnkeyed ? withoutTls : first === null ? atTheDoor[door] : behindIt(door, admission?.number ?? '')
      const made = random.of(kinds)(random)
      // Some end in the middle of what they would have said.
      const bytes = random.below(4) === 0 ? made.slice(0, random.below(made.length + 1)) : made
      const from = fromMany ? `127.${1 + random.below(250)}.${random.below(250)}.${1 + random.below(250)}` : undefined
      const packets = first === null ? [bytes] : [first, bytes]
      const answer = await breakOne({ door, port, from, handshake, bytes: packets, end: random.of(ends) })
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
  /** `half`: it goes away, or waits, once it has said hello. */
  readonly handshake: 'none' | 'half' | 'whole'
  readonly bytes: readonly (string | Buffer)[]
  readonly end: (typeof ends)[number]
}

function breakOne({ door, port, from, handshake, bytes, end }: Broken): Promise<number | null> {
  return new Promise((resolve) => {
    let answer: number | null = null
    const line = connect({ port, host: '127.0.0.1', ...(from && { localAddress: from }) })
    const socket = handshake === 'none' ? line : connectTls({ socket: line, rejectUnauthorized: false })
    for (const each of [line, socket]) each.on('error', () => {})
    line.on('close', () => resolve(answer))
    socket.on('data', (data) => {
      answer ??= answerOf(door, data)
      if (end === 'answered') socket.setTimeout(silenceMs)
      // Behind the door more comes than the answer that let it in.
      if (bytes.length === 1) line.destroy()
    })
    const written = () => {
      if (end === 'reset') line.resetAndDestroy()
      else if (end === 'close') line.destroy()
      else socket.setTimeout(bytes.length === 1 || answer !== null ? silenceMs : admittedMs, () => line.resetAndDestroy())
    }
    if (handshake === 'half') line.on('connect', written)
    else
      socket.on(handshake === 'none' ? 'connect' : 'secureConnect', () =>
        socket.write(Buffer.concat(bytes.map((each) => Buffer.from(each as string))), written),
      )
  })
}
