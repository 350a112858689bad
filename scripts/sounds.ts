// Makes the console's alarm sounds: `node scripts/sounds.ts`. They are kept in the repository; run it again only to change them.
import { mkdirSync, writeFileSync } from 'node:fs'

interface Tone {
  readonly hertz: number
  readonly from: number
  readonly seconds: number
}

const rate = 16_000
const folder = 'apps/console/public/sounds'

/** Alarm: three urgent rising pairs. Fault: two falling tones. Work order: one soft chime. */
const sounds: Record<string, readonly Tone[]> = {
  alarm: [0, 0.34, 0.68].flatMap((from) => [
    { hertz: 784, from, seconds: 0.14 },
    { hertz: 1047, from: from + 0.15, seconds: 0.16 },
  ]),
  error: [
    { hertz: 659, from: 0, seconds: 0.2 },
    { hertz: 494, from: 0.24, seconds: 0.3 },
  ],
  order: [
    { hertz: 523, from: 0, seconds: 0.5 },
    { hertz: 659, from: 0.12, seconds: 0.5 },
  ],
}

mkdirSync(folder, { recursive: true })
for (const [name, tones] of Object.entries(sounds)) writeFileSync(`${folder}/${name}.wav`, wav(tones))

/** Sixteen-bit mono: each tone with its octave, swelling in and dying away, so that nothing clicks. */
function wav(tones: readonly Tone[]): Buffer {
  const seconds = Math.max(...tones.map(({ from, seconds: length }) => from + length))
  const samples = Buffer.alloc(Math.ceil(seconds * rate) * 2)
  for (let index = 0; index < samples.length / 2; index += 1) {
    const at = index / rate
    const level = tones.reduce((sum, tone) => sum + sampleOf(tone, at - tone.from), 0)
    samples.writeInt16LE(Math.round(Math.max(-1, Math.min(1, level)) * 32_767 * 0.6), index * 2)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

function sampleOf({ hertz, seconds }: Tone, at: number): number {
  if (at < 0 || at > seconds) return 0
  const swell = Math.min(1, at / 0.01) * Math.min(1, (seconds - at) / 0.04)
  const turn = 2 * Math.PI * hertz * at
  return swell * (0.7 * Math.sin(turn) + 0.2 * Math.sin(2 * turn))
}
