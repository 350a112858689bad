import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import { startFleet } from '../fleet.ts'
import { readScenario, readTarget } from './scenario.ts'

const good =
  'name: Gas\nrepeat: 10m\nsteps:\n  - { at: 5s, target: A-G1, fault: gasLeak, with: { percentLel: 30, over: 2h } }\n  - { at: 1.5m, target: GW-A, fault: gatewayOffline }\n'

test('a scenario is read in milliseconds', () => {
  expect(readScenario(good)).toEqual({
    name: 'Gas',
    repeatMs: 600_000,
    steps: [
      { afterMs: 5_000, target: 'A-G1', fault: 'gasLeak', given: { percentLel: 30, over: '2h' } },
      { afterMs: 90_000, target: 'GW-A', fault: 'gatewayOffline', given: {} },
    ],
  })
})

test.each([
  ['name: X\nsteps: []', 'the scenario needs steps'],
  ['steps:\n  - { at: 1s, target: A, fault: smoke }', 'the scenario needs a name'],
  ['name: X\nsteps:\n  - { at: 1s, target: A, fault: earthquake }', 'step 1: there is no fault earthquake'],
  ['name: X\nsteps:\n  - { at: 1s, target: A, fault: toString }', 'step 1: there is no fault toString'],
  ['name: X\nsteps:\n  - { at: soon, target: A, fault: smoke }', 'step 1: soon is no time; write 30s, 2m or 1h'],
  ['name: X\nsteps:\n  - { at: 1s, fault: smoke }', 'step 1 needs a target'],
  ['name: X\nsteps:\n  - { at: 1s, target: A, fault: smoke, line: 3 }', 'step 1: there is no field line'],
  ['name: X\nsteps:\n  - { at: 1s, target: A, fault: smoke, with: 3 }', 'step 1: with must have fields'],
  [
    'name: X\nsteps:\n  - { at: 1s, target: A, fault: smoke, with: { percentPerM: [1] } }',
    'step 1: percentPerM must be a figure or a word',
  ],
  ['name: X\nloop: true\nsteps:\n  - { at: 1s, target: A, fault: smoke }', 'the file: there is no field loop'],
  ['name: X\nrepeat: 1s\nsteps:\n  - { at: 1s, target: A, fault: smoke }', 'repeat must be longer than the last step, 1 s'],
  ['smoke', 'the file must have fields'],
])('%j is refused: %s', (text, why) => {
  expect(() => readScenario(text)).toThrow(why)
})

test('a target is a gateway, a device or a line', () => {
  const isGateway = (number: string) => number === 'GW-A'
  expect(readTarget('GW-A', isGateway)).toEqual({ gateway: 'GW-A' })
  expect(readTarget('A-G1', isGateway)).toEqual({ controllerId: 'A-G1' })
  expect(readTarget('A-T1/2', isGateway)).toEqual({ controllerId: 'A-T1', lineNo: 2 })
  expect(() => readTarget('A-T1/x', isGateway)).toThrow('is no gateway, device or line')
})

const shipped = new URL('../../../../scripts/demo/', import.meta.url)
test.each(readdirSync(shipped).filter((name) => name.endsWith('.yaml')))(
  '%s can happen to the demo, every step of it',
  async (name) => {
    const gateways = demoPlan().flatMap((project) => project.gateways)
    // Nobody listens there: the plant lives, and says nothing.
    const fleet = startFleet(gateways, { url: 'mqtt://127.0.0.1:1', ticking: false })
    try {
      const { steps } = readScenario(readFileSync(new URL(name, shipped), 'utf8'))
      for (const { target, fault, given } of steps) {
        if (fault === 'gatewayBack') continue
        fleet.run(
          fault,
          readTarget(target, (number) => fleet.gateways.has(number)),
          given,
        )
      }
    } finally {
      await fleet.close()
    }
  },
)
