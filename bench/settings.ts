import { openLive } from '@linewarden/client'
import { updateLines } from '@linewarden/contract'
import type { ProjectPlan } from '@linewarden/simulator'
import { signedIn, startStack } from '@linewarden/testkit'
import { report } from './report.ts'

const targets = { firstMs: 1_000, allMs: 30_000 }
const lines = 200
const perGateway = 20

/** Settings to 200 lines at once, from the call to the last value the equipment reports back, as somebody at the live socket sees it. */
export async function settings(): Promise<void> {
  const stack = await startStack({ plan: [plan()] })
  const client = await signedIn(stack.url, stack.admin)
  const verified = new Map<string, number>()
  const live = await new Promise<ReturnType<typeof openLive>>((resolve) => {
    const opened = openLive({
      client,
      onLink: (link) => link === 'open' && setTimeout(() => resolve(opened), 100),
      onMessages(messages) {
        for (const message of messages)
          if (message.t === 'setting' && message.change.State === 'verified')
            verified.set(message.change.CommandID, performance.now())
      },
    })
  })
  const Targets = [...stack.server.plant.lines.values()].map(({ device, lineNo }) => ({
    ControllerID: device.controllerId,
    LineNo: lineNo,
  }))
  const began = performance.now()
  const { items } = await client.call(updateLines, {
    body: {
      Targets,
      Settings: [{ Key: 'leakage.trip', Value: 100 }],
      BatchID: crypto.randomUUID(),
      Reason: 'bench',
    },
  })
  const answeredMs = performance.now() - began
  while (verified.size < items.length && performance.now() - began < targets.allMs)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const took = [...verified.values()].map((at) => at - began)
  const firstMs = Math.round(Math.min(...took))
  const allMs = Math.round(Math.max(...took))
  live.close()
  await stack.close()
  const verdict = verified.size === lines && firstMs < targets.firstMs && allMs < targets.allMs
  report('settings', { lines, verified: verified.size, answeredMs: Math.round(answeredMs), firstMs, allMs, targets, verdict })
}

const plan = (): ProjectPlan => ({
  group: 'bench',
  name: 'bench',
  timeZone: 'Asia/Shanghai',
  standard: 'GB',
  gateways: Array.from({ length: lines / perGateway }, (_, gateway) => ({
    number: `GW-S${gateway}`,
    name: `S${gateway}`,
    secret: '',
    reportingPeriodMs: 1_000,
    devices: [
      {
        controllerId: `S-${gateway}`,
        family: 'breaker3p',
        model: '3PN',
        name: `S${gateway}`,
        lines: Array.from({ length: perGateway }, (__, line) => ({
          lineNo: line + 1,
          name: `S${gateway}-${line + 1}`,
          ratedCurrentA: 63,
          load: 'office' as const,
        })),
      },
    ],
  })),
})
