import { parse } from 'yaml'
import type { FaultTarget } from '../faults/inject.ts'
import { isFault } from '../faults/inject.ts'
import type { Given } from '../faults/parameters.ts'
import { durationOf } from '../faults/parameters.ts'

/** One step of a scenario: what happens to whom, and when after the start. */
export interface ScenarioStep {
  readonly afterMs: number
  readonly target: string
  readonly fault: string
  /** What is said of the fault; the rest is as usual. */
  readonly given: Given
}

export interface Scenario {
  readonly name: string
  /** It begins again this often; null: it is played once. */
  readonly repeatMs: number | null
  readonly steps: readonly ScenarioStep[]
}

/**
 * Reads a scenario:
 *
 * ```yaml
 * name: Gas in the kitchen
 * repeat: 10m            # optional
 * steps:
 *   - { at: 5s, target: WH06-G1, fault: gasLeak }
 *   - { at: 2m, target: GW-WH-06, fault: gatewayOffline }
 *   - { at: 3m, target: WH06-T1/2, fault: overload, with: { factor: 1.3 } }
 * ```
 *
 * Throws one readable line for the first thing that cannot be used; unknown fields are refused, because a typing error must not silently
 * mean nothing.
 */
export function readScenario(text: string): Scenario {
  const { name, repeat, steps, ...rest } = fields(parse(text), 'the file')
  only(rest, 'the file')
  if (typeof name !== 'string' || name === '') throw new Error('the scenario needs a name')
  if (!Array.isArray(steps) || steps.length === 0) throw new Error('the scenario needs steps')
  const read = steps.map((step: unknown, i): ScenarioStep => {
    const where = `step ${i + 1}`
    const { at, target, fault, with: given = {}, ...more } = fields(step, where)
    only(more, where)
    if (typeof target !== 'string' || target === '') throw new Error(`${where} needs a target`)
    if (typeof fault !== 'string' || !isFault(fault)) throw new Error(`${where}: there is no fault ${String(fault)}`)
    return { afterMs: duration(at, where), target, fault, given: givenOf(given, where) }
  })
  const repeatMs = repeat === undefined ? null : duration(repeat, 'repeat')
  const last = Math.max(...read.map(({ afterMs }) => afterMs))
  if (repeatMs !== null && repeatMs <= last) throw new Error(`repeat must be longer than the last step, ${last / 1000} s`)
  return { name, repeatMs, steps: read }
}

/** `GW-WH-06` is a gateway, `WH06-G1` a device, `WH06-T1/2` a line. */
export function readTarget(text: string, isGateway: (number: string) => boolean): FaultTarget {
  if (isGateway(text)) return { gateway: text }
  const [controllerId = '', line, ...more] = text.split('/')
  if (line === undefined) return { controllerId }
  const lineNo = Number(line)
  if (more.length > 0 || !Number.isInteger(lineNo) || lineNo < 0) throw new Error(`${text} is no gateway, device or line`)
  return { controllerId, lineNo }
}

function givenOf(value: unknown, where: string): Given {
  const given = fields(value, `${where}: with`)
  for (const [name, each] of Object.entries(given))
    if (typeof each !== 'string' && typeof each !== 'number') throw new Error(`${where}: ${name} must be a figure or a word`)
  return given as Given
}

function duration(value: unknown, where: string): number {
  const ms = durationOf(value)
  if (ms === null) throw new Error(`${where}: ${String(value)} is no time; write 30s, 2m or 1h`)
  return ms
}

function fields(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${where} must have fields`)
  return { ...value }
}

function only(rest: Record<string, unknown>, where: string): void {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw new Error(`${where}: there is no field ${unknown}`)
}
