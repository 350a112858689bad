import type { SimulatedDevice } from '../device.ts'
import { newDevice } from '../device.ts'
import { Courses } from '../faults/courses.ts'
import { ofDetector } from '../faults/inject.ts'
import type { DevicePlan } from '../plan.ts'
import { stepDetector } from '../plant/detector.ts'
import { seededRandom } from '../random.ts'
import { ctwingReport, oneNetBody, oneNetReport, pushTo } from './bodies.ts'

export interface PushOptions {
  readonly platform: 'onenet' | 'ctwing'
  /** The subscription's address, of CTWing without the key at its end. */
  readonly url: string
  readonly secret: string
  /** OneNET's secure mode; empty: plain. */
  readonly aesKey?: string
  readonly productId: string
  /** The detector; its id is what the platform calls it: the IMEI, or the number of its gateway. */
  readonly plan: DevicePlan
  readonly everyMs: number
  readonly seed?: number
  readonly now?: () => number
  readonly onAnswer?: (answer: { status: number; Message: string }) => void
}

export interface Pusher {
  /** Puts a fault into the detector; what it then says is pushed at once. */
  run(fault: string): void
  close(): void
}

const stepMs = 500
/** A platform keeps what it could not push, and tries again. */
const maxKept = 200

/** A detector whose operator's platform pushes what it reports, every so often and whenever it has news. */
export function startPushing(options: PushOptions): Pusher {
  const now = options.now ?? Date.now
  const random = seededRandom(options.seed ?? 1)
  let aliases = 0
  const nextAlias = () => {
    aliases += 1
    return aliases
  }
  const device = newDevice(options.plan, { now: now(), random, nextAlias })
  const courses = new Courses(now)
  const kept: string[] = []
  let last = now()
  let pushedAt = Number.NEGATIVE_INFINITY
  let sending = false
  const timer = setInterval(step, stepMs)
  step()
  return {
    run(fault) {
      if (!device.detector) throw new Error('only detectors are pushed')
      ofDetector(fault, device.detector, {})(courses)
    },
    close() {
      clearInterval(timer)
    },
  }

  function step(): void {
    const at = now()
    courses.step()
    const news = device.detector !== null && stepDetector(device.detector, at - last, at, random)
    last = at
    if (news || at - pushedAt >= options.everyMs) {
      pushedAt = at
      kept.push(bodyOf(valuesOf(device), at))
      if (kept.length > maxKept) kept.shift()
    }
    void send()
  }

  async function send(): Promise<void> {
    if (sending) return
    sending = true
    const { url, platform, secret } = options
    try {
      for (let body = kept[0]; body !== undefined; body = kept[0]) {
        const answer = await pushTo(platform === 'ctwing' ? `${url}/${secret}` : url, body)
        options.onAnswer?.(answer)
        if (answer.status !== 200) return
        kept.shift()
      }
    } catch (error) {
      options.onAnswer?.({ status: 0, Message: error instanceof Error ? error.message : String(error) })
    } finally {
      sending = false
    }
  }

  function bodyOf(values: Readonly<Record<string, number | string>>, at: number): string {
    const { plan, productId, secret, aesKey } = options
    if (options.platform === 'ctwing') return JSON.stringify(ctwingReport(plan.controllerId, productId, values, at))
    const message = oneNetReport(plan.controllerId, productId, values, at)
    return oneNetBody(secret, message, { time: at, ...(aesKey && { aesKey }) })
  }
}

/** Points and states by the identifiers that a thing model has for them. */
function valuesOf({ metrics, family }: SimulatedDevice): Record<string, number | string> {
  const states = new Map(family.states.map((state) => [state.key, state]))
  const values: Record<string, number | string> = {}
  for (const { metric } of metrics) {
    if (metric.key === null || (metric.when !== 'value' && metric.when !== 'state')) continue
    const read = metric.read()
    if (read === null) continue
    const state = states.get(metric.key)
    const code = state?.values.findIndex(({ key }) => key === read)
    const value = code !== undefined && code >= 0 ? code : Number(read)
    if (Number.isFinite(value)) values[metric.key.replaceAll('.', '_')] = value
  }
  return values
}
