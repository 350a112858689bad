import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayPlan, ProjectPlan } from '@linewarden/simulator'
import { generatedPlan } from '@linewarden/simulator'
import pg from 'pg'
import { serverFlags } from '../scripts/node-flags.mjs'
import { profiling } from './field.ts'
import type { PlannedLinkage } from './linkage-plan.ts'
import { plannedLinkages, spareLines, triggersPerGateway } from './linkage-plan.ts'
import type { Asked, Order } from './linkage-server.ts'

const [linkagesPerProject, loadLinesPerGateway] = [200, 20]

export interface LinkageField {
  readonly url: string
  readonly mqttPort: number
  readonly admin: { readonly userName: string; readonly password: string }
  /** Their lines report as fast as they can. */
  readonly load: readonly GatewayPlan[]
  /** On their lines something happens. */
  readonly triggers: readonly GatewayPlan[]
  readonly database: pg.Client
  ask<T>(what: Asked): Promise<T>
  close(): Promise<void>
}

export interface Size {
  readonly linkages: number
  /** How many of them come about. */
  readonly firings: number
}

/** One line of the bench, as its project numbers them. */
export const loadPlace = (project: number, line: number): string =>
  `LD${project}-${Math.floor(line / loadLinesPerGateway)}/${(line % loadLinesPerGateway) + 1}`
export const triggerPlace = (project: number, trigger: number): string =>
  `TR${project}-${Math.floor(trigger / triggersPerGateway)}/${(trigger % triggersPerGateway) + 1}`
/** What a scene trips beside its trigger. */
export const sparePlaces = (project: number, trigger: number): readonly string[] =>
  Array.from(
    { length: spareLines },
    (_, index) => `TR${project}-${Math.floor(trigger / triggersPerGateway)}/${triggersPerGateway + index + 1}`,
  )

/** By project. */
export function linkagesOf({ linkages, firings }: Size): readonly (readonly PlannedLinkage[])[] {
  const projects = Math.ceil(linkages / linkagesPerProject)
  const each = Math.ceil(linkages / projects)
  return Array.from({ length: projects }, (_, project) => {
    const own = Math.min(each, linkages - project * each)
    return plannedLinkages(own, Math.max(1, Math.min(own, Math.round(firings / projects))))
  })
}

function planOf(projects: readonly (readonly PlannedLinkage[])[]): readonly ProjectPlan[] {
  return projects.map((linkages, project) => {
    const triggers = 1 + Math.max(...linkages.map(({ trigger }) => trigger))
    const gateways = (prefix: string, count: number, linesPerGateway: number, reportingPeriodMs: number) =>
      generatedPlan({ gateways: count, linesPerGateway, reportingPeriodMs }).map((gateway, index): GatewayPlan => {
        const number = `${prefix}${project}-${index}`
        return {
          ...{ ...gateway, number, name: number },
          devices: gateway.devices.map((device) => ({ ...device, controllerId: number, name: number })),
        }
      })
    const load = gateways('LD', Math.ceil(linkages.length / loadLinesPerGateway), loadLinesPerGateway, 2_000)
    const own = gateways('TR', Math.ceil(triggers / triggersPerGateway), triggersPerGateway + spareLines, 5_000)
    return { group: 'linkage', name: `linkage ${project}`, timeZone: 'UTC', standard: 'GB', gateways: [...load, ...own] }
  })
}

/** A server in a process of its own, with the gateways of these linkages and the linkages, which it has not read yet. */
export async function linkageField(projects: readonly (readonly PlannedLinkage[])[]): Promise<LinkageField> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const child = fork('bench/linkage-server.ts', {
    execArgv: [...serverFlags, ...profiling()],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  process.once('exit', () => child.kill('SIGTERM'))
  const order: Order = { dataDir, plan: planOf(projects) }
  const started = await asked<Pick<LinkageField, 'url' | 'mqttPort' | 'admin'> & { gateways: readonly GatewayPlan[] }>(
    child,
    order,
  )
  const database = new pg.Client({ host: join(dataDir, 'socket'), user: 'linewarden', database: 'linewarden' })
  await database.connect()
  const isLoad = ({ number }: GatewayPlan) => number.startsWith('LD')
  return {
    ...{ url: started.url, mqttPort: started.mqttPort, admin: started.admin, database },
    load: started.gateways.filter(isLoad),
    triggers: started.gateways.filter((gateway) => !isLoad(gateway)),
    ask: (what) => asked(child, what),
    async close() {
      await database.end()
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function asked<T>(child: ChildProcess, what: Asked | Order): Promise<T> {
  child.send(what)
  const gone = new AbortController()
  try {
    const exit = once(child, 'exit', { signal: gone.signal }).then(([code]) => {
      throw new Error(`the server ended with ${code}`)
    })
    const [answer] = await Promise.race([once(child, 'message'), exit])
    return answer
  } finally {
    gone.abort()
  }
}
