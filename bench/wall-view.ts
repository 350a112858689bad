import { revokeScreen, screenView } from '@linewarden/contract'
import type { ProjectPlan } from '@linewarden/simulator'
import { startStack } from '../tests/kit/stack.ts'
import { newLink, openWall } from '../tests/kit/walls.ts'
import { percentile } from './calibrate.ts'

const calls = 200
const revocations = 20

/** Two hundred lines behind ten gateways, as one project. */
const plan: readonly ProjectPlan[] = [
  {
    ...{ group: '大屏', name: '二百路', timeZone: 'Asia/Shanghai', standard: 'GB' },
    gateways: Array.from({ length: 10 }, (_, gateway) => ({
      ...{ number: `WALL-${gateway}`, name: `${gateway} 柜`, secret: '', reportingPeriodMs: 5_000 },
      devices: [
        {
          ...{ controllerId: `WALL-${gateway}-T`, family: 'breaker3p', model: '3PN', name: '三相' },
          lines: Array.from({ length: 20 }, (_, at) => ({
            ...{ lineNo: at + 1, name: `线 ${gateway}-${at + 1}`, ratedCurrentA: 63, load: 'office' as const },
          })),
        },
      ],
    })),
  },
]

/** How long a wall waits for all that it shows, whole and unchanged, and how long one that is revoked is still answered; ms at the caller. */
export async function wallView() {
  const stack = await startStack({ plan, fleet: { ticking: false } })
  try {
    const houses = [...stack.server.plant.projects.keys()]
    const { Key } = await newLink(stack.client, houses)
    const { client } = await openWall(stack.url, { Key })
    const whole: number[] = []
    const same: number[] = []
    for (let call = 0; call < calls; call++) {
      const began = performance.now()
      const { Tag } = await client.call(screenView, { query: {} })
      whole.push(performance.now() - began)
      const again = performance.now()
      await client.call(screenView, { query: { Tag } })
      same.push(performance.now() - again)
    }
    const revoked: number[] = []
    for (let round = 0; round < revocations; round++) {
      const link = await newLink(stack.client, houses)
      const wall = await openWall(stack.url, { Key: link.Key })
      const began = performance.now()
      await stack.client.call(revokeScreen, { body: { ScreenID: link.Screen.ScreenID } })
      const refused = await wall.client.call(screenView, { query: {} }).catch((error: Error) => error.message)
      if (refused !== 'session expired') throw new Error('a wall that was revoked is answered')
      revoked.push(performance.now() - began)
    }
    return {
      p95: rounded(percentile(whole, 0.95)),
      sameP95: rounded(percentile(same, 0.95)),
      revokedWorst: rounded(Math.max(...revoked)),
    }
  } finally {
    await stack.close()
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
