import type { Fleet } from '../fleet.ts'
import type { Frame } from './incident.ts'
import { force, frameOf, release } from './incident.ts'
import type { Scenario } from './scenario.ts'
import { readTarget } from './scenario.ts'

export interface Playing {
  stop(): void
}

/** How long the last values of an incident stand before physics takes over again. */
const lastValuesMs = 10_000

/**
 * Plays a scenario on a fleet. Throws before it begins when a step cannot happen; `onError` hears what fails later, `onStep` what happens.
 */
export function playScenario(
  fleet: Fleet,
  scenario: Scenario,
  onError: (error: Error) => void,
  onStep: (step: Scenario['steps'][number]) => void = () => {},
): Playing {
  const targets = scenario.steps.map(({ target }) => readTarget(target, (number) => fleet.gateways.has(number)))
  for (const [index, target] of targets.entries()) {
    const { fault, given } = scenario.steps[index] ?? { fault: '', given: {} }
    fleet.refuseUnlessPossible(fault, target, given)
  }
  const timers = new Set<NodeJS.Timeout>()
  const round = () => {
    scenario.steps.forEach((step, i) => {
      const { afterMs, fault, given } = step
      const target = targets[i]
      if (!target) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        try {
          fleet.run(fault, target, given)
          onStep(step)
        } catch (error) {
          onError(error instanceof Error ? error : new Error(String(error)))
        }
      }, afterMs)
      timers.add(timer)
    })
  }
  round()
  const again = scenario.repeatMs === null ? null : setInterval(round, scenario.repeatMs)
  return {
    stop() {
      if (again) clearInterval(again)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

export interface ReplayOptions {
  /** 2: twice as fast. */
  readonly speed: number
  /** Device of the fleet that plays the part of each recorded device; what is not named plays itself. */
  readonly onto: Readonly<Record<string, string>>
}

/** Replays a recorded incident: the fleet's devices say again what was recorded, at the same pace, stamped with today's time. */
export function playIncident(
  fleet: Fleet,
  frames: readonly Frame[],
  options: ReplayOptions,
): Playing & { readonly done: Promise<void> } {
  const first = frames[0]?.time ?? 0
  const timers = new Set<NodeJS.Timeout>()
  const cast = new Map(
    [...new Set(frames.map(({ device }) => device))].map((name) => {
      const controllerId = options.onto[name] ?? name
      const gateway = fleet.gatewayOf(controllerId)
      const device = gateway.devices().find((each) => each.controllerId === controllerId)
      if (!device) throw new Error(`the fleet has no device ${controllerId}`)
      return [name, { gateway, device }] as const
    }),
  )
  // Said once beforehand, so that nothing begins that cannot end: every frame must fit its device.
  try {
    for (const frame of frames) {
      const part = cast.get(frame.device)
      if (part) force(part.device, frame)
    }
  } finally {
    for (const { device } of cast.values()) release(device)
  }

  let finish: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    for (const { device, gateway } of cast.values()) {
      release(device)
      void gateway.report()
    }
    finish()
  }
  const after = (ms: number, work: () => void) => timers.add(setTimeout(work, ms))
  for (const frame of frames)
    after((frame.time - first) / options.speed, () => {
      const part = cast.get(frame.device)
      if (!part) return
      force(part.device, frame)
      void part.gateway.report()
    })
  after(((frames.at(-1)?.time ?? first) - first) / options.speed + lastValuesMs / options.speed, end)
  return { done, stop: end }
}

/** Records what a device (or one line of it) reports, once a second. */
export async function recordIncident(fleet: Fleet, target: string, seconds: number): Promise<readonly Frame[]> {
  const place = readTarget(target, (number) => fleet.gateways.has(number))
  if (!('controllerId' in place)) throw new Error('name a device or a line to record')
  const device = fleet
    .gatewayOf(place.controllerId)
    .devices()
    .find((each) => each.controllerId === place.controllerId)
  if (!device) throw new Error(`the fleet has no device ${place.controllerId}`)
  const lineNo = place.lineNo ?? null
  if (lineNo !== null && !device.lines.has(lineNo)) throw new Error(`${device.controllerId} has no line ${lineNo}`)
  const frames: Frame[] = []
  for (let second = 0; second < seconds; second++) {
    frames.push(frameOf(device, lineNo, fleet.now()))
    if (second < seconds - 1) await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  return frames
}
