import { hourMs } from '@linewarden/equipment'
import { loadShare, powerFactorOf } from '../load-profile.ts'
import type { Sense, SimulatedDetector } from './sense.ts'
import { alarm, glide, levelOf } from './sense.ts'

const ambientC = 26
/** Rise of a sound clamp at rated current, in kelvin; it follows the square of the current. */
const riseAtRatedK = 32
const thermalSeconds = 90

const probes = ['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n']

const circuitOf = ({ plan }: SimulatedDetector) => plan.circuit ?? { ratedCurrentA: 63, load: 'office' as const }

/** The circuit a device watches: its load by the hour, its standing leakage, its clamps. */
export const circuitSense: Sense = {
  feels: ({ points }) => points.some(({ key }) => key === 'residual' || key === 'temperature.a'),
  begin({ values, plan: { begins } }, random) {
    for (const probe of probes) if (values.has(probe)) values.set(probe, ambientC + random() * 4)
    if (values.has('energy')) values.set('energy', begins?.energyKwh ?? 500 + Math.round(random() * 9_000))
  },
  step(detector, moment) {
    const { values, states, around } = detector
    const { now, random, dtMs } = moment
    const { ratedCurrentA, load } = circuitOf(detector)
    const on = (states.get('output') ?? 'on') === 'on'
    const share = on
      ? loadShare({ load, lineNo: 0, name: detector.plan.name }, now) * around.loadFactor * (0.96 + random() * 0.08)
      : 0
    const amperes = share * ratedCurrentA
    const volts = (230 + Math.sin(now / 600_000) * 2.5 + (random() - 0.5)) * around.voltageFactor
    const kilowatts = (volts * amperes * powerFactorOf[load]) / 1000
    const put = (key: string, value: number) => values.has(key) && values.set(key, value)
    put('current.a', amperes)
    put('voltage.a', volts)
    put('power.total', kilowatts)
    put('energy', (values.get('energy') ?? 0) + (kilowatts * dtMs) / hourMs)
    put('residual', on ? Math.max(0, around.residualMa + (random() - 0.5) * 2) : 0)
    for (const probe of probes) {
      if (!values.has(probe)) continue
      const loose = probe === 'temperature.a' ? around.contact : 1
      glide(detector, probe, ambientC + riseAtRatedK * share ** 2 * loose, thermalSeconds, moment)
    }
  },
}

/** The current limiter: a short circuit is cut within microseconds, an overload after its time, and it calls. */
export const limiterSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'output'),
  step(detector, { now }) {
    const { states, values, around, since } = detector
    if (states.get('output') !== 'on') return
    if (around.short) return cut(detector, 'short')
    if ((values.get('temperature.a') ?? 0) > levelOf(detector, 'temperature.alarm') * 1.1) return cut(detector, 'overtemperature')
    if ((values.get('current.a') ?? 0) <= levelOf(detector, 'overload.trip')) {
      since.delete('overload')
      return
    }
    const begun = since.get('overload') ?? now
    since.set('overload', begun)
    if (now - begun >= levelOf(detector, 'overload.delay') * 1000) cut(detector, 'overload')
  },
}

function cut(detector: SimulatedDetector, why: string): void {
  alarm(detector, 'output', why)
  for (const key of ['current.a', 'power.total', 'residual']) if (detector.values.has(key)) detector.values.set(key, 0)
}
