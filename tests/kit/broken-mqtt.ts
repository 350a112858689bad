import type { Random } from './random.ts'
import type { Kinds } from './random-bytes.ts'
import { noise, tlsHello } from './random-bytes.ts'

/** What somebody who speaks wrongly says at the door of gateways, and over a connection that was let in. */

/** A field of bytes with its length before it. */
function field(value: string | Buffer, length?: number): Buffer {
  const bytes = Buffer.from(value as string)
  const size = length ?? bytes.length
  return Buffer.concat([Buffer.from([(size >> 8) & 0xff, size & 0xff]), bytes])
}

/** A packet; `announced`: another length than it has. */
function packet(first: number, body: Buffer, announced = body.length): Buffer {
  const length: number[] = []
  let rest = announced
  do {
    length.push((rest % 128) + (rest > 127 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.concat([Buffer.from([first, ...length]), body])
}

interface Connect {
  readonly name?: string
  readonly level?: number
  readonly flags?: number
  readonly number?: string | Buffer
  readonly secret?: string
}

/** The first packet of a gateway. */
export const connectPacket = ({ name = 'MQTT', level = 4, flags = 0xc2, number = 'X', secret = 'x' }: Connect): Buffer =>
  packet(0x10, Buffer.concat([field(name), Buffer.from([level, flags, 0, 60]), field(number), field(number), field(secret)]))

const invalidText = Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80])
const names = ['', ' ', '#', '+/x', '$SYS', '\u0000', '编号', 'x'.repeat(900), '__proto__', 'constructor'] as const

export const brokenConnects: Kinds = [
  noise,
  tlsHello,
  () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  (random) => connectPacket({ name: random.of(['', 'MQIsdp', 'mqtt', 'MQTT\u0000', 'x'.repeat(4_000)]) }),
  (random) => connectPacket({ level: random.below(256) }),
  (random) => connectPacket({ flags: random.below(256) }),
  (random) => connectPacket({ number: random.of(names) }),
  () => connectPacket({ number: invalidText }),
  (random) => connectPacket({ secret: 'x'.repeat(random.below(4_000)) }),
  (random) => packet(0x10, Buffer.from('x'), random.of([0, 1, 4_095, 4_097, 1_000_000, 268_435_455])),
  () => Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
  (random) => packet(random.below(256), noise(random)),
  (random) => packet(0x10, field('MQTT', random.below(65_536))),
]

const topicOf = (random: Random) =>
  random.of([
    ...([
      '',
      '#',
      '+',
      '/',
      '$SYS/x',
      'spBv1.0',
      'spBv1.0/bench/NBIRTH/',
      'spBv1.0/bench/NDATA/SOMEBODY',
      'a/b'.repeat(60),
    ] as const),
    ...['spBv1.0/bench/DDATA/X/__proto__', 'spBv1.0/STATE/linewarden', 'x'.repeat(60_000), '\u0000'],
  ])
const publish = (first: number, topic: string | Buffer, payload: Buffer) =>
  packet(first, Buffer.concat([field(topic), (first & 0x06) > 0 ? Buffer.from([0, 7]) : Buffer.alloc(0), payload]))

/** What follows once a gateway is in; `number` is its own. */
export const brokenPackets = (number: string): Kinds => [
  (random) => publish(random.of([0x30, 0x31, 0x32, 0x34, 0x36, 0x3a]), topicOf(random), noise(random)),
  (random) => publish(0x32, `spBv1.0/bench/${random.of(['NBIRTH', 'NDATA', 'NDEATH'])}/${number}`, noise(random)),
  (random) => publish(0x32, `spBv1.0/bench/${random.of(['DBIRTH', 'DDATA', 'DDEATH'])}/${number}/X`, noise(random)),
  (random) => publish(0x32, invalidText, noise(random)),
  (random) => packet(0x82, Buffer.concat([Buffer.from([0, 1]), field(topicOf(random)), Buffer.from([random.below(256)])])),
  () => packet(0x82, Buffer.from([0, 0])),
  () => packet(0xa2, Buffer.concat([Buffer.from([0, 1]), field('#')])),
  (random) =>
    packet(random.of([0x00, 0xf0, 0x20, 0x40, 0x50, 0x62, 0x70, 0x90, 0xd0, 0xe1]), Buffer.from([0, random.below(256)])),
  () => connectPacket({ number }),
  () => packet(0x32, Buffer.from('x'), 268_435_455),
  (random) => packet(0x32, field('x', random.below(65_536))),
  noise,
]
