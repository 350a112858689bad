import type { Alarm, StateAlarm } from '@linewarden/equipment'
import type { CompiledLimit, EvaluationState, LimitSource, Transition } from '@linewarden/rules/alarm'
import { compileLimits, evaluateLimit, evaluateState, limitOf, newEvaluationState } from '@linewarden/rules/alarm'
import type { SimulatedDevice } from '../device.ts'

/** An alarm that was raised, or returned. */
export interface AlarmChange {
  readonly act: 'raise' | 'return'
  readonly alarm: Alarm
  readonly point: string | null
  readonly value: number | null
  readonly limit: number | null
  readonly unit: string
}

/** Evaluates what one line reads and reports by the rules that the server has. */
export class LineAlarms {
  readonly #source: LimitSource
  readonly #limits: readonly { readonly limit: CompiledLimit; readonly state: EvaluationState }[]
  readonly #states: readonly { readonly alarm: StateAlarm; readonly state: EvaluationState; read(): string }[]

  constructor(device: SimulatedDevice, lineNo: number) {
    const { family, plan, metrics, detector } = device
    const line = device.lines.get(lineNo)
    this.#source = {
      family,
      model: plan.model,
      ratedCurrentA: line?.plan.ratedCurrentA ?? plan.circuit?.ratedCurrentA ?? null,
      reported: line?.settings ?? detector?.settings ?? new Map(),
    }
    this.#limits = compileLimits(this.#source).map((limit) => ({ limit, state: newEvaluationState() }))
    this.#states = family.alarms.flatMap((alarm) => {
      if (alarm.on !== 'state') return []
      const values = family.states.find(({ key }) => key === alarm.state)?.values ?? []
      const metric = metrics.find(
        ({ metric: { when, lineNo: of, key } }) => when === 'state' && of === lineNo && key === alarm.state,
      )
      if (!metric) return []
      return [{ alarm, state: newEvaluationState(), read: () => values[Number(metric.metric.read())]?.key ?? '' }]
    })
  }

  /** What changed with these values, by slot; `judged`: those of the moment in which the equipment itself evaluated. */
  evaluate(values: Float64Array, judged: Float64Array, at: number): AlarmChange[] {
    const changes: AlarmChange[] = []
    for (const { limit, state } of this.#limits) {
      const value = values[limit.slot] ?? Number.NaN
      const transition = evaluateLimit(limit, state, value, at)
      if (transition === null) continue
      const { alarm, point, unit } = limit
      changes.push({ act: actOf(transition), alarm, point, value, limit: limit.limit, unit })
    }
    for (const { alarm, state, read } of this.#states) {
      const transition = evaluateState(alarm, state, read(), at)
      if (transition !== null) changes.push({ act: actOf(transition), alarm, point: null, ...this.#measured(alarm, judged) })
    }
    return changes
  }

  #measured({ judges }: StateAlarm, values: Float64Array): Pick<AlarmChange, 'value' | 'limit' | 'unit'> {
    const unknown = { value: null, limit: null, unit: '' }
    if (!judges) return unknown
    const points = this.#source.family.points.filter(({ key }) => judges.points.includes(key))
    const known = points.map(({ slot }) => values[slot] ?? Number.NaN).filter((value) => !Number.isNaN(value))
    if (known.length === 0) return unknown
    const value = Math.max(...known)
    const limit = judges.limit ? limitOf(judges.limit, this.#source) : null
    return limit !== null && value < limit ? unknown : { value, limit, unit: points[0]?.unit ?? '' }
  }
}

const actOf = (transition: NonNullable<Transition>) => (transition === 'raised' ? 'raise' : 'return')
