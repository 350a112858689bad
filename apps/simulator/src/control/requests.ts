import { faults } from '../faults/inject.ts'
import type { Given } from '../faults/parameters.ts'
import { describeParameters } from '../faults/parameters.ts'
import type { Fleet } from '../fleet.ts'
import type { Frame } from '../script/incident.ts'
import { readIncident, writeIncident } from '../script/incident.ts'
import type { Playing } from '../script/player.ts'
import { playIncident, playScenario, recordIncident } from '../script/player.ts'
import { readScenario, readTarget } from '../script/scenario.ts'

/** What can be asked of a running fleet. Files are read by whoever asks; only their text comes here. */
export type ControlRequest =
  | { readonly do: 'list' }
  | { readonly do: 'inject'; readonly target: string; readonly fault: string; readonly given: Given }
  | { readonly do: 'play'; readonly scenario: string }
  | { readonly do: 'replay'; readonly incident: string; readonly speed: number; readonly onto: Readonly<Record<string, string>> }
  | { readonly do: 'record'; readonly target: string; readonly seconds: number }
  | { readonly do: 'stop' }

export type ControlReply = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string }

const recordAtMost = 3_600

/** Answers requests for one fleet; scenarios and replays go on after their answer, until they end or `stop`. */
export function controlOf(fleet: Fleet, onError: (error: Error) => void) {
  const playing = new Set<Playing>()
  const stop = () => {
    for (const each of playing) each.stop()
    playing.clear()
  }
  return { answer, stop }

  async function answer(request: ControlRequest): Promise<string> {
    switch (request.do) {
      case 'list':
        return list(fleet)
      case 'inject':
        fleet.run(
          request.fault,
          readTarget(request.target, (number) => fleet.gateways.has(number)),
          request.given,
        )
        return [
          `${request.target}: ${request.fault}`,
          ...Object.entries(request.given).map(([name, value]) => `${name}=${value}`),
        ].join(' ')
      case 'play': {
        const scenario = readScenario(request.scenario)
        playing.add(playScenario(fleet, scenario, onError))
        return `playing "${scenario.name}", ${scenario.steps.length} steps`
      }
      case 'replay': {
        if (!(request.speed > 0 && request.speed <= 1_000)) throw new Error('speed must be more than 0 and at most 1000')
        const frames = readIncident(request.incident)
        const replay = playIncident(fleet, frames, { speed: request.speed, onto: request.onto })
        playing.add(replay)
        void replay.done.then(() => playing.delete(replay))
        return `replaying ${frames.length} messages, ${lengthOf(frames, request.speed)} s`
      }
      case 'record':
        if (!(request.seconds >= 1 && request.seconds <= recordAtMost)) throw new Error(`record 1 to ${recordAtMost} seconds`)
        return writeIncident(await recordIncident(fleet, request.target, request.seconds))
      case 'stop':
        stop()
        return 'stopped what was playing'
    }
  }
}

const lengthOf = (frames: readonly Frame[], speed: number): number =>
  Math.round(((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) / speed / 1_000)

function list(fleet: Fleet): string {
  const lines: string[] = []
  for (const gateway of fleet.gateways.values()) {
    lines.push(gateway.number)
    for (const { controllerId, family, plan, lines: its } of gateway.devices()) {
      const extent = its.size > 0 ? `  lines ${[...its.keys()].join(' ')}` : ''
      lines.push(`  ${controllerId}  ${family.key}  ${plan.name}${extent}`)
    }
  }
  const possible = Object.entries(faults).flatMap(([of, all]) => [
    '',
    `faults of a ${of}, with what can be said of them:`,
    ...Object.entries(all).map(([name, { parameters }]) => `  ${name} ${describeParameters(parameters)}`.trimEnd()),
  ])
  return [...lines, ...possible].join('\n')
}
