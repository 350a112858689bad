import type { Request } from '@linewarden/contract'
import { deleteLinkage, getLinkage, insertLinkage, linkageLog, switchLinkage } from '@linewarden/contract'
import { expect, vi } from 'vitest'
import { smallPlan } from './small-plan.ts'
import type { Stack, StackOptions } from './stack.ts'
import { startStack } from './stack.ts'
import { verified } from './verified.ts'

export type LinkageBody = Request<typeof insertLinkage>['body']

/** Time is moved on in steps: within three periods of a minute nothing is too old. */
export const linkagePlan = smallPlan.map((project) => ({
  ...project,
  gateways: project.gateways.map((each) => ({ ...each, reportingPeriodMs: 60_000 })),
}))

export type LinkageHouse = Awaited<ReturnType<typeof startLinkageHouse>>

/** A house in which a breaker of eight lines and a smoke detector bring linkages about; time moves only in steps. */
export async function startLinkageHouse(options: Pick<StackOptions, 'plan' | 'expects' | 'fleet'> = {}) {
  let ahead = 0
  const now = () => Date.now() + ahead
  const stack: Stack = await startStack({ plan: linkagePlan, clock: now, ...options, fleet: { now, ...options.fleet } })
  const engine = () => stack.server.automation.linkageEngine
  const gateway = () => stack.fleet.gatewayOf('A-T1')
  const line = (lineNo: number, device = 'A-T1') => stack.fleet.gatewayOf(device).line(device, lineNo)
  const houseOf = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
  const form = (Name: string, own: Partial<LinkageBody>): LinkageBody => ({
    ...{ HouseID: houseOf(), Name, Enabled: true, Mode: 'live', Match: 'all', Conditions: [], ActiveHours: [], Actions: [] },
    ...{ CooldownS: 60, MaxPerHour: 6, MaxPerDay: 24, MayClose: false, ...own },
  })

  /** What equipment says comes in, and whatever fires by it is stored. */
  async function reported(byMs = 1_000): Promise<void> {
    ahead += byMs
    for (const each of stack.fleet.gateways.values()) await each.report()
    await stack.server.ingest.drained()
    await engine().settled()
  }
  const stored = (LinkageID: number) => stack.client.call(getLinkage, { params: { LinkageID } })
  for (const lineNo of [1, 2, 3, 4, 5, 6, 7, 8]) {
    line(lineNo).position = 'closed'
    line(lineNo).forced.set('current.a', 1)
  }
  await reported()
  return {
    ...{ stack, now, engine, gateway, line, houseOf, form, reported, stored },
    pass(byMs: number): void {
      ahead += byMs
    },
    made: (Name: string, own: Partial<LinkageBody>) => stack.client.call(insertLinkage, { body: form(Name, own) }),
    /** What was ordered of a line is done, and the server knows it: only then may time go on. */
    async stands(LineNo: number, position: 'open' | 'closed'): Promise<void> {
      await eventually(() => expect(line(LineNo).position).toBe(position))
      await verified(stack.client, at(LineNo))
    },
    async currentOf(lineNo: number, ampere: number, byMs = 1_000): Promise<void> {
      line(lineNo).forced.set('current.a', ampere)
      await reported(byMs)
    },
    logOf: async (LinkageID: number, Near = false) =>
      (await stack.client.call(linkageLog, { body: { LinkageID, Near, Size: 50 } })).items,
    async gone(LinkageID: number): Promise<void> {
      const { Version } = await stored(LinkageID)
      await stack.client.call(deleteLinkage, { body: { LinkageID, Version } })
    },
    async turned(LinkageID: number, Mode: Request<typeof switchLinkage>['body']['Mode']) {
      const { Version } = await stored(LinkageID)
      return stack.client.call(switchLinkage, { body: { LinkageID, Version, Mode } })
    },
  }
}

export const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
export const above = (LineNo: number, Value = 50, ForS = 0) =>
  ({ Kind: 'point', ...at(LineNo), Key: 'current.a', Op: '>', Value, Release: 5, ForS }) as const
export const does = (Kind: 'trip' | 'close' | 'raise', LineNo: number, DelayS = 0) => ({ Kind, ...at(LineNo), DelayS })
export const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { interval: 100 })
