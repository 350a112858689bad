import type { Random } from './random.ts'

/** Ways to speak wrongly. */
export type Kinds = readonly [(random: Random) => string | Buffer, ...((random: Random) => string | Buffer)[]]

export const noise = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: 1 + random.below(600) }, () => random.below(256)))

/** What a client of TLS would say first, and what it never says. */
export const tlsHello = (random: Random): Buffer => Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), noise(random)])
