import { hourMs } from '@linewarden/equipment'
import type { Random } from '../../random.ts'
import type { Sense } from './sense.ts'
import { alarm, levelOf } from './sense.ts'

/** A burst is reported as the most half-cycles of the seconds since. */
const burstMs = 10_000

/** A sound circuit arcs for a few half-cycles when something is switched; fewer than 10 in a second must not alarm (GB 14287.4). */
export const arcSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'arc.alarm'),
  step(detector, { random, dtMs, now }) {
    const { values, around, states, since } = detector
    const { arc, arcBursts } = around
    if (random() < 1 - Math.exp((-arcBursts.perHour * dtMs) / hourMs)) since.set('burst', now)
    const burst = now - (since.get('burst') ?? Number.NEGATIVE_INFINITY) < burstMs ? arcBursts.halfCycles : 0
    const halfCycles = arc === 'none' ? Math.max(burst, Math.floor(random() ** 12 * 5)) : 16 + Math.floor(random() * 40)
    values.set('arc.halfCycles', halfCycles)
    if (arc === 'none' || halfCycles < levelOf(detector, 'arc.halfCycles') || states.get('arc.alarm') !== 'normal') return
    alarm(detector, 'arc.alarm', arc)
    detector.recordings.set('arc.waveform', arcWaveform(values.get('current.a') ?? 0, random))
    for (const key of ['arc.count', `arc.${arc}`]) values.set(key, (values.get(key) ?? 0) + 1)
  },
}

const perSecond = 6_400
const cycles = 10
const samplesPerCycle = perSecond / 50
/** The arc begins after so many sound cycles. */
const soundCycles = 3

/**
 * The current around the beginning of an arc: while it arcs it stays near zero around each crossing until the gap breaks down, and is
 * noisy after that. In hundredths of an ampere, as the family has it on the wire.
 */
function arcWaveform(currentA: number, random: Random): string {
  const peak = Math.max(0.5, currentA) * Math.SQRT2
  const bytes = Buffer.alloc(cycles * samplesPerCycle * 2)
  for (let index = 0; index < cycles * samplesPerCycle; index++) {
    const sine = Math.sin((2 * Math.PI * index) / samplesPerCycle)
    const arcs = index >= soundCycles * samplesPerCycle
    const shoulder = arcs && Math.abs(sine) < 0.35
    const noise = (random() - 0.5) * (arcs && !shoulder ? 0.25 : 0.02)
    const ampere = peak * (shoulder ? 0.03 * Math.sign(sine) : sine * (arcs ? 0.85 : 1)) + peak * noise
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(ampere * 100))), index * 2)
  }
  return bytes.toString('base64')
}
