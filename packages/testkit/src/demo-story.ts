import type { Fleet, GatewayPlan, ScenarioName } from '@linewarden/simulator'

interface Scene {
  readonly afterMs: number
  readonly scenario: ScenarioName
  readonly kind: 'line' | 'smoke' | 'gateway'
  readonly pick: number
}

/** One round of the demo: enough happens in ten minutes to see every kind of alarm, and every one of them also passes. */
const round: readonly Scene[] = [
  { afterMs: 25_000, scenario: 'leakageRamp', kind: 'line', pick: 7 },
  { afterMs: 70_000, scenario: 'contactHeating', kind: 'line', pick: 31 },
  { afterMs: 120_000, scenario: 'smoke', kind: 'smoke', pick: 1 },
  { afterMs: 180_000, scenario: 'gatewayOffline', kind: 'gateway', pick: 4 },
  { afterMs: 240_000, scenario: 'overload', kind: 'line', pick: 58 },
  { afterMs: 200_000, scenario: 'mend', kind: 'line', pick: 7 },
  { afterMs: 270_000, scenario: 'mend', kind: 'line', pick: 31 },
  { afterMs: 300_000, scenario: 'gatewayBack', kind: 'gateway', pick: 4 },
  { afterMs: 360_000, scenario: 'smokeReset', kind: 'smoke', pick: 1 },
  { afterMs: 420_000, scenario: 'mend', kind: 'line', pick: 58 },
]
const roundMs = 600_000

/** Plays the round again and again until closed. */
export function demoStory(fleet: Fleet, gateways: readonly GatewayPlan[]): { close(): void } {
  const timers = new Set<NodeJS.Timeout>()
  const lines = gateways.flatMap((gateway) =>
    gateway.devices.flatMap(({ controllerId, lines }) => lines.map(({ lineNo }) => ({ controllerId, lineNo }))),
  )
  const detectors = gateways.flatMap((gateway) =>
    gateway.devices.filter(({ family }) => family === 'smoke').map(({ controllerId }) => ({ controllerId })),
  )
  const targets = { line: lines, smoke: detectors, gateway: gateways.map(({ number }) => ({ gateway: number })) }

  const play = () => {
    for (const scene of round) {
      const pool = targets[scene.kind]
      const target = pool[scene.pick % pool.length]
      if (target) timers.add(setTimeout(() => fleet.run(scene.scenario, target), scene.afterMs))
    }
  }
  play()
  timers.add(setInterval(play, roundMs))
  return {
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
